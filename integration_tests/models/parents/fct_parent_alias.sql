{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='event_id') }}
select e.event_id, e.event_ts, e.amount
from {{ ref('stg_events') }} e
where e.amount > 20
