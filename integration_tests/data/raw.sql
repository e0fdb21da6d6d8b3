-- A year of events, one every 131 minutes, and twenty whose time nobody knows.
create schema raw;
create table raw.events as
select
    cast(i as bigint) as event_id,
    i % 37 as customer_id,
    1 + i % 5 as tenant,
    case when i <= 4000 then timestamp '2024-01-01 00:07:00' + 131 * i * interval '1 minute' end as event_ts,
    timestamp '2024-01-01 00:07:00' + (131 * least(i, 4000) + 60 * (i % 5)) * interval '1 minute' as loaded_at,
    cast((i * 7919 % 10000) / 100.0 as decimal(10, 2)) as amount,
    (array['DE', 'AT', 'CH', 'FR'])[1 + i % 4] as country
from generate_series(0, 4019) as t(i);

create table raw.customers as
select i as customer_id, (array['gold', 'silver', 'none'])[1 + i % 3] as tier from generate_series(0, 36) as t(i);
