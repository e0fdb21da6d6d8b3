{{ config(partition_by='day', unique_key='event_id') }}
select event_id, amount, formatDateTime(assumeNotNull(event_ts), '%Y%m%d') as day
from {{ ref('stg_events') }}
where event_ts is not null
