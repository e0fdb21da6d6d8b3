{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='event_id', event_time='event_ts') }}
with recent as (
    select * from {{ ref('stg_events') }} where {{ backfill_safety.window('event_ts', lookback='3 days') }}
)
select
    event_id, event_ts, amount,
    sum(amount) over (order by event_ts range between interval '1 day' preceding and current row) as amount_1_day
from recent
