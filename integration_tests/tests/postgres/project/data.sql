-- Two months of events, one every 131 minutes; ten of nobody knows when. A gate stops who writes while a test holds it shut.
create schema raw;
create table raw.events as
select
    i::bigint as event_id,
    case when i <= 690 then timestamp '2024-03-01 00:07:00' + i * interval '131 minutes' end as event_ts,
    (i * 7919 % 10000)::numeric(10, 2) / 100 as amount,
    (array['DE', 'AT', 'CH', 'FR'])[1 + i % 4] as country
from generate_series(0, 700) as i;

create function raw.gate(n integer) returns integer language plpgsql as $$
begin
    if pg_current_xact_id_if_assigned() is not null then perform pg_advisory_xact_lock_shared(n); end if;
    return n;
end $$;

create schema marts;
create table marts.fct_partitioned (event_id bigint, order_date date, amount numeric) partition by range (order_date);
create table marts.fct_partitioned_03 partition of marts.fct_partitioned for values from ('2024-03-01') to ('2024-04-01');
create table marts.fct_partitioned_later partition of marts.fct_partitioned for values from ('2024-04-01') to ('2025-01-01');
create table marts.fct_partitioned_rest partition of marts.fct_partitioned default;
