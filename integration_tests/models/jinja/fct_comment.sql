{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
select cast(event_ts as date) as order_date, sum(amount) as amount -- all of it
from {{ ref('stg_events') }}
group by 1
-- nothing more to say
