{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='event_id') }}
select
    event_id, event_ts, amount,
    sum(amount) over (order by event_ts range between interval '3 days' preceding and current row) as amount_3_days
from {{ source('raw', 'events') }}
where event_ts is not null
