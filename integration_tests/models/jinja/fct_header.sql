{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
{% call set_sql_header(config) %}
{{ session_function('with_tax', 'x * 2') }}
{% endcall %}
select cast(event_ts as date) as order_date, sum({{ in_session('with_tax') }}(amount)) as amount
from {{ ref('stg_events') }}
group by 1
