{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
select e.order_date, count(*) as orders, sum(near.amount) as amount_near
from (
    select cast(event_ts as date) as order_date from {{ ref('stg_events') }}
    where {{ backfill_safety.window('event_ts', target_column='order_date') }}
) as e
inner join (
    select cast(event_ts as date) as order_date, amount from {{ ref('stg_events') }}
    where {{ backfill_safety.window('event_ts', lookback='1 day', lookahead='2 days', target_column='order_date') }}
) as near on near.order_date between e.order_date - 1 and e.order_date + 2
group by 1
