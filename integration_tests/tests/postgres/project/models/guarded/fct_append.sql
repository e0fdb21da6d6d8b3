{{ config(incremental_strategy='append') }}
select event_id, event_ts, amount, country from {{ ref('stg_events') }}
{% if is_incremental() %}
where event_ts > (select max(event_ts) from {{ this }})
{% endif %}
