{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
select cast(event_ts as date) as order_date, count(*) as orders, sum(amount) as amount
from {{ ref('eph_events') }}
group by 1
