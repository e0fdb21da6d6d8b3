{{ config(materialized='incremental', incremental_strategy='merge', unique_key='event_id') }}
select event_id, event_ts, amount from {{ ref('stg_events') }}
{% if is_incremental() %}
where event_ts > {{ backfill_safety.watermark('event_ts') }}
{% endif %}
