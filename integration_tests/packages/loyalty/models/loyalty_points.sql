{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
select cast(event_ts as date) as order_date, {{ loyalty_points_of('count(*)') }} + {{ var('rate') }} as points
from {{ source('loyalty_raw', 'events') }}
group by 1
