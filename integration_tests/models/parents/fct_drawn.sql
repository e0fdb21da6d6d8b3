{{ config(
    materialized='incremental', incremental_strategy='delete+insert', unique_key='event_id',
    meta={'backfill_safety': {'volatile': ['draw']}}
) }}
select event_id, event_ts, amount, random() as draw from {{ ref('stg_events') }}
{% if is_incremental() %}
where event_ts > (select max(event_ts) from {{ this }})
{% endif %}
