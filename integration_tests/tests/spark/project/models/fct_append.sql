{{ config(incremental_strategy='append', partition_by=['ds'], unique_key='event_id') }}
select event_id, amount, event_ts, date_format(event_ts, 'yyyyMMdd') as ds from {{ ref('stg_events') }}
{% if is_incremental() %}
where event_ts > (select max(event_ts) from {{ this }})
{% endif %}
