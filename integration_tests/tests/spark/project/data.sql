-- Ten days of events around the end of a month, one every 97 minutes; two of nobody knows when, and a country that has no name.
create database raw;
create database marts;
create database used;
create database want;
create table raw.events using parquet as
select
    cast(id as int) as event_id,
    case when id < 150 then timestamp '2024-03-25 00:07:00' + make_interval(0, 0, 0, 0, 0, cast(id * 97 as int)) end as event_ts,
    cast(id * 7919 % 10000 as decimal(10, 2)) / 100 as amount,
    case id % 4 when 0 then 'DE' when 1 then 'AT' when 2 then "O'Neil/ä" end as country
from range(152);
