{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='event_id') }}
select stg_events.event_id, stg_events.event_ts, stg_events.amount, customers.tier
from {{ ref('stg_events') }}
left join {{ source('raw', 'customers') }} on customers.customer_id = stg_events.customer_id
