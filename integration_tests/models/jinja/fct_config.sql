{{ config(materialized='incremental', incremental_strategy=var('strategy', 'delete+insert'), unique_key='order_date', meta={'floor': 3}) }}
{%- set keys = config.get('unique_key') %}
{%- set missing = config.get('nowhere_set', default='event_ts') %}
select
    cast({{ missing }} as date) as {{ keys }},
    sum(amount) + {{ config.get('threshold', 5) }} + {{ model.config.meta.floor }} as amount,
    '{{ this.identifier }}' as written_to,
    '{{ model.name }}' as written_by
from {{ ref('stg_events') }}
group by 1
