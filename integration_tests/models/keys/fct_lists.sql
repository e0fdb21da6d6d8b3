{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key=['country', 'tenant']) }}
select country, tenant, cast(min(event_ts) as date) as first_day, sum(amount) as amount
from {{ ref('stg_events') }}
group by 1, 2
