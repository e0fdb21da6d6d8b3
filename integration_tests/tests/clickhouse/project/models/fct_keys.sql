{{ config(partition_by='toDate(ts)') }}
select toDateTime(assumeNotNull(event_ts), 'UTC') as ts, 'x' as "od`d", toInt32(event_id) as amount
from {{ ref('stg_events') }}
where event_ts is not null
