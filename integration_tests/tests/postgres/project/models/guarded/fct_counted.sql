{{ config(incremental_strategy='delete+insert', unique_key='order_date') }}
select
    cast(event_ts as date) as order_date,
    count(*) as orders,
    max(case when event_id < 10000 or event_id % 1000 = 0 then raw.computed_by() end) as computed_by
from {{ source('raw', 'events') }}
group by 1
