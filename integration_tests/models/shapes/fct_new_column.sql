{{ config(
    materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date',
    on_schema_change='append_new_columns'
) }}
select cast(event_ts as date) as order_date, count(*) as orders, sum(amount) as amount
from {{ ref('stg_events') }}
group by 1
