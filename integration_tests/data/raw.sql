-- A year of events, one every 131 minutes, and twenty whose time nobody knows.
create schema raw;
create table raw.events as
select
    i as event_id,
    i % 37 as customer_id,
    1 + i % 5 as tenant,
    case when i <= 4000 then timestamp '2024-01-01 00:07:00' + to_minutes(131 * i) end as event_ts,
    coalesce(timestamp '2024-01-01 00:07:00' + to_minutes(131 * least(i, 4000) + 60 * (i % 5)), null) as loaded_at,
    cast((hash(i) % 10000) / 100 as decimal(10, 2)) as amount,
    ['DE', 'AT', 'CH', 'FR'][1 + i % 4] as country
from range(4020) as t(i);

create table raw.customers as
select i as customer_id, ['gold', 'silver', 'none'][1 + i % 3] as tier from range(37) as t(i);
