{{ config(materialized='view') }}
select event_id, customer_id, tenant, event_ts, loaded_at, amount, country
from {{ source('raw', 'events') }}
