{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
select cast(event_ts as date) as order_date, sum(amount) * {{ var('rate') }} + {{ var('everywhere') }} as amount
from {{ ref('stg_events') }}
group by 1
