{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
with daily as (
    select cast(event_ts as date) as order_date, sum(amount) as amount
    from {{ ref('stg_events') }}
    where event_ts is not null
    {% if is_incremental() %}
    and cast(event_ts as date) > (select max(order_date) from {{ this }})
    {% endif %}
    group by 1
)
select
    order_date,
    amount,
    {% if is_incremental() %}
    (select total from {{ this }} order by order_date desc limit 1) +
    {% endif %}
    sum(amount) over (order by order_date) as total
from daily
