{{ config(materialized='incremental', unique_key=['day', 'bucket'], incremental_strategy='delete+insert') }}

select
    cast(event_ts as date) as day,
    bucket,
    count(*) as events,
    sum(amount) as amount,
    count(distinct user_id) as users
from {{ source('raw', 'events') }}
{% if is_incremental() %} where event_ts >= (select max(day) from {{ this }}) {% endif %}
group by 1, 2
