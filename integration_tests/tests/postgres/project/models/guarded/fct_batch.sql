{{ config(
    incremental_strategy='microbatch', unique_key='event_id', event_time='event_ts', batch_size='day', begin='2024-03-01'
) }}
select event_id, event_ts, amount from {{ ref('stg_events') }}
