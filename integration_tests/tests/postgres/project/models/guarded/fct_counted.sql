{{ config(incremental_strategy='delete+insert', unique_key='order_date') }}
select cast(event_ts as date) as order_date, count(*) as orders, min(raw.computed_by()) as computed_by
from {{ source('raw', 'events') }}
group by 1
