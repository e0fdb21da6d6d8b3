{{ config(file_format='iceberg', incremental_strategy='merge', partition_by='order_date', unique_key=['order_date', 'country']) }}
select country, count(*) as orders, sum(amount) as amount, max(event_ts) as last_seen, cast(event_ts as date) as order_date
from {{ ref('stg_events') }}
{% if is_incremental() %}
where event_ts >= (select max(order_date) from {{ this }})
{% endif %}
group by country, cast(event_ts as date)
