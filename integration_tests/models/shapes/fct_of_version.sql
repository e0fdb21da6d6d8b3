{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
select one.order_date, one.amount + two.amount as amount
from {{ ref('fct_versioned', v=1) }} as one
join {{ ref('fct_versioned', version=2) }} as two using (order_date)
