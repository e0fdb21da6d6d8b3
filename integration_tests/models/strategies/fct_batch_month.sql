{{ config(
    materialized='incremental', incremental_strategy='microbatch', event_time='order_date',
    batch_size='month', begin='2024-01-01', tags=['batch_month'],
    unique_key=['order_date', 'tier'] if target.type == 'postgres' else none
) }}
select e.order_date, t.tier, sum(e.amount) as amount
from (select cast(event_ts as date) as order_date, customer_id, amount from {{ ref('stg_events') }}) as e
inner join {{ source('raw', 'customers') }} as t using (customer_id)
group by 1, 2
