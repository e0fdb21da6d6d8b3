{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
select
    cast(event_ts as date) as order_date,
    sum(amount) as amount,
    '{{ 'backfill' if backfill_safety.is_backfill() else ('live' if is_incremental() else 'first') }}' as written_by
from {{ ref('stg_events') }}
{% if is_incremental() %}
where event_ts >= (select max(order_date) from {{ this }})
{% endif %}
group by 1
