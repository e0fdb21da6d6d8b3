{{ config(incremental_strategy='merge', unique_key='event_id') }}
select event_id, event_ts, amount, country from {{ ref('stg_events') }}
{% if is_incremental() %}
where event_ts > (select max(event_ts) from {{ this }})
{% endif %}
