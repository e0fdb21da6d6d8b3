{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='event_id') }}
select event_id, timezone('UTC', event_ts) as seen_at, amount
from {{ ref('stg_events') }}
{% if is_incremental() %}
where timezone('UTC', event_ts) > (select max(seen_at) from {{ this }})
{% endif %}
