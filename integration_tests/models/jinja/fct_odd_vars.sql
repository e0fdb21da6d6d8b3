{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
select
    cast(event_ts as date) as order_date,
    sum(case when event_ts < timestamp '{{ var("new_tax", "2024-03-03") }}' then 2 else 1 end) as amount
from {{ ref('stg_events') }}
where event_ts >= timestamp '{{ var("lower_bound", "2024-01-01") }}' and event_ts < timestamp '{{ var("ds", "2026-01-01") }}'
group by 1
