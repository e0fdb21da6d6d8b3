{{ config(materialized='incremental', incremental_strategy='append') }}
select event_id, event_ts, amount from {{ ref('stg_events') }} where event_ts is not null
{% if is_incremental() %}
and event_ts > (select max(event_ts) from {{ this }})
{% endif %}
order by event_ts limit 4000
