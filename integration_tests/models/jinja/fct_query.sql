{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
{% set countries = [] %}
{% if execute %}
    {% set countries = run_query('select distinct country from ' ~ source('raw', 'events') ~ ' order by 1').columns[0].values() %}
{% endif %}
select
    cast(event_ts as date) as order_date,
    {% for country in countries %}
    sum(case when country = '{{ country }}' then amount else 0 end) as amount_{{ country | lower }},
    {% endfor %}
    sum(amount) as amount
from {{ ref('stg_events') }}
group by 1
