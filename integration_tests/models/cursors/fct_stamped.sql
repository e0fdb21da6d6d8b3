{{ config(materialized='incremental', incremental_strategy='merge', unique_key='event_id') }}
select event_id, cast(event_ts as date) as order_date, amount, cast(current_timestamp as timestamp) as updated_at
from {{ ref('stg_events') }}
{% if is_incremental() %}
where loaded_at > (select max(updated_at) from {{ this }})
{% endif %}
