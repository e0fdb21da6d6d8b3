{{ config(materialized='incremental', incremental_strategy='append') }}
select {{ as_text('event_ts', '%Y%m%dT%H') }} as hour_key, sum(amount) as amount
from {{ ref('stg_events') }}
group by 1
