{{ config(
    materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date',
    meta={'backfill_safety': {'column': 'order_date', 'vars': {'start_date': '{start}', 'end_date': '{end}'}}}
) }}
select cast(event_ts as date) as order_date, sum(amount) as amount
from {{ ref('stg_events') }}
where event_ts >= timestamp '{{ var("start_date", "2024-01-01") }}' and event_ts < timestamp '{{ var("end_date", "2025-01-01") }}'
group by 1
