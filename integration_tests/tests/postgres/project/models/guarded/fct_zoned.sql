{{ config(incremental_strategy='delete+insert', unique_key='event_id') }}
select event_id, event_ts at time zone 'UTC' as seen_at, amount from {{ ref('stg_events') }}
{% if is_incremental() %}
where event_ts at time zone 'UTC' > (select max(seen_at) from {{ this }})
{% endif %}
