{{ config(tags=['semicolon']) }}
-- dbt-duckdb cannot build a model that ends in a semicolon; other adapters do
with daily as (select cast(event_ts as date) as order_date, amount from {{ ref('stg_events') }})
select order_date, sum(amount) as amount, ';' as mark
from daily
group by 1;
-- the end
