{{ config(incremental_strategy='delete+insert', unique_key=['order_date', 'country'], post_hook='select raw.gate(2)') }}
select cast(event_ts as date) as order_date, country, count(*) as orders, sum(amount) as amount
from {{ ref('stg_events') }}
{% if is_incremental() %}
where event_ts >= (select max(order_date) from {{ this }})
{% endif %}
group by 1, 2
