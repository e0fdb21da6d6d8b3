{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='day_key') }}
select cast({{ as_text('event_ts', '%Y%m%d') }} as integer) as day_key, sum(amount) as amount
from {{ ref('stg_events') }}
group by 1
