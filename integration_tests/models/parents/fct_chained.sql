{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
with daily as (
    select cast(event_ts as date) as order_date, count(*) as orders, sum(amount) as amount
    from {{ ref('eph_large') }}
    group by 1
)
select daily.*, coalesce(e.orders, 0) as small_orders
from daily
left join (
    select cast(event_ts as date) as order_date, count(*) as orders from {{ ref('eph_events') }} where amount <= 10 group by 1
) as e using (order_date)
