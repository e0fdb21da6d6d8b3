{{ config(partition_by='(toDate(event_ts), country)') }}
select event_id, amount, toDateTime(assumeNotNull(event_ts), 'UTC') as event_ts, ifNull(country, '') as country
from {{ ref('stg_events') }}
where event_ts is not null
