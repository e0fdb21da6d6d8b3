{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='event_id') }}
select event_id, event_ts, amount from {{ ref('stg_events') }}
{% if is_incremental() %}
where event_ts > (select max(event_ts) from {{ this }})
{% else %}
where event_ts >= '2024-06-01'
{% endif %}
