{{ config(materialized='incremental', unique_key='event_id', incremental_strategy='delete+insert') }}

select event_id, event_ts, user_id, bucket, amount, amount * 2 as doubled
from {{ source('raw', 'events') }}
{% if is_incremental() %} where event_ts > (select max(event_ts) from {{ this }}) {% endif %}
