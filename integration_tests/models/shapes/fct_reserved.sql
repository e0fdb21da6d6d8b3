{{ config(materialized='incremental', incremental_strategy='append', alias='group') }}
select cast(event_ts as date) as "order", country as "Group By", sum(amount) as "select", count(*) as "it's ""so"""
from {{ ref('stg_events') }}
group by 1, 2
