{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
{% call set_sql_header(config) %}
create or replace temp macro with_tax(x) as x * 2;
{% endcall %}
select cast(event_ts as date) as order_date, sum(with_tax(amount)) as amount
from {{ ref('stg_events') }}
group by 1
