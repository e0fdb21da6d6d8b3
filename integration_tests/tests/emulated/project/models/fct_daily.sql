{{ config(
    materialized='incremental', incremental_strategy='merge', unique_key=['order_date', 'country'],
    partition_by={'field': 'order_date', 'data_type': 'date'} if target.type == 'bigquery' else none,
    full_refresh=false,
) }}
select order_date, country, count(*) as orders, sum(amount) as amount, max(loaded_at) as loaded_at
from {{ source('raw', 'orders') }}
{% if is_incremental() %}
where loaded_at > (select max(loaded_at) from {{ this }})
{% endif %}
group by order_date, country
