{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='event_id') }}
select event_id, cast(event_ts as date) as order_date, cast(event_ts as date) + 2 as ship_date, amount
from {{ ref('stg_events') }}
