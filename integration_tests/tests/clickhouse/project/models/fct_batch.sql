{{ config(incremental_strategy='microbatch', event_time='event_ts', batch_size='year', begin='2024-01-01',
    unique_key='event_id', partition_by='toYear(event_ts)') }}
select event_id, amount, assumeNotNull(e.event_ts) as event_ts from {{ ref('stg_events') }} as e where e.event_ts is not null
