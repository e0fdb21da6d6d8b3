{{ config(
    materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date',
    meta={'backfill_safety': {'column': 'order_date'}}
) }}
select cast(event_ts as date) as order_date, count(*) as orders, sum(amount) as amount
from {{ ref('stg_events') }}
where {{ backfill_safety.window('event_ts', type='timestamp') }}
group by 1
