{{ config(partition_by='toYYYYMMDD(order_date)', settings={'allow_nullable_key': 1}) }}
-- names that the package's own queries use as well
select
    country, count(*) as n, sum(e.amount) as amount, avg(toFloat64(e.amount)) as keys, max(event_ts) as past,
    toDate(event_ts) as order_date
from {{ ref('stg_events') }} as e
{% if is_incremental() %}
where event_ts >= (select max(order_date) from {{ this }})
{% endif %}
group by country, order_date
