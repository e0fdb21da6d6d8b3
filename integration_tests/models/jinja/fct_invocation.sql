{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
select
    cast(event_ts as date) as order_date,
    sum(amount) as amount,
    '{{ invocation_id }}' as written_by,
    '{{ run_started_at }}' as written_at
from {{ ref('stg_events') }}
group by 1
