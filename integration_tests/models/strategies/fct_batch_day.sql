{{ config(
    materialized='incremental', incremental_strategy='microbatch', event_time='event_ts', batch_size='day',
    begin='2024-10-01', tags=['batch_day'], unique_key='event_id' if target.type == 'postgres' else none
) }}
select event_id, event_ts, amount, '{{ model.batch.id if model.batch else '' }}' as batch_id
from {{ ref('stg_events') }}
