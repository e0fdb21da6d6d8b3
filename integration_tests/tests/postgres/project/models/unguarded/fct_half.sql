{{ config(incremental_strategy='append') }}
select event_id, event_ts, amount from {{ ref('stg_events') }} where country = 'DE'
{% if is_incremental() %}
and event_ts > (select max(event_ts) from {{ this }})
{% endif %}
union all
select event_id, event_ts, amount from {{ ref('stg_events') }} where country = 'AT'
