{#- on Postgres each batch is merged by its key, and must have one -#}
{{ config(
    materialized='incremental', incremental_strategy='microbatch', event_time='day', begin='2024-01-01', batch_size='day',
    unique_key=['day', 'bucket'] if target.type == 'postgres' else none
) }}

select
    cast(event_ts as date) as day,
    bucket,
    count(*) as events,
    sum(amount) as amount,
    count(distinct user_id) as users
from {{ source('raw', 'events') }}
group by 1, 2
