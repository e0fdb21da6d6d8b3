{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='event_id') }}
select a.event_id, a.event_ts, a.amount, sum(b.amount) as day_amount
from {{ ref('stg_events') }} as a
join {{ source('raw', 'events') }} on a.country = events.country and cast(a.event_ts as date) = cast(events.event_ts as date)
join {{ ref('fct_merge') }} as b on b.event_id = events.event_id
group by 1, 2, 3
