{{ config(materialized='incremental', incremental_strategy='microbatch', event_time='day', begin='2024-01-01', batch_size='day') }}

select
    cast(event_ts as date) as day,
    bucket,
    count(*) as events,
    sum(amount) as amount,
    count(distinct user_id) as users
from {{ source('raw', 'events') }}
group by 1, 2
