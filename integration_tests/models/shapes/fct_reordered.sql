{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
select cast(event_ts as date) as order_date, sum(amount) as amount, count(*) as orders, min(country) as country
from {{ ref('stg_events') }}
group by 1
