{{ config(partition_by='toYYYYMM(order_date)', unique_key='event_id') }}
select event_id, amount, event_ts, assumeNotNull(toDate32(event_ts)) as order_date
from {{ ref('stg_events') }}
where event_ts is not null
{% if is_incremental() %}
and event_ts > (select max(event_ts) from {{ this }})
{% endif %}
