{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
with recursive steps as (
    select 1 as step union all select step + 1 from steps where step < 3
),
events as (select * from {{ ref('eph_events') }})
select cast(event_ts as date) as order_date, step, sum(amount) as amount
from events cross join steps
group by 1, 2
