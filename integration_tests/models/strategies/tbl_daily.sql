select cast(event_ts as date) as order_date, count(*) as orders, sum(amount) as amount
from {{ ref('stg_events') }}
group by 1
