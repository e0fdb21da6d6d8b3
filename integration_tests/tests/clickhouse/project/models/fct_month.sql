{{ config(partition_by='toYYYYMM(order_date)', unique_key='event_id') }}
select event_id, amount, assumeNotNull(e.event_ts) as event_ts, assumeNotNull(toDate32(e.event_ts)) as order_date
from {{ ref('stg_events') }} as e
where e.event_ts is not null
{% if is_incremental() %}
and e.event_ts > (select max(event_ts) from {{ this }})
{% endif %}
