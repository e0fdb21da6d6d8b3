-- Ten days of events around the end of a month, one every 97 minutes; two of nobody knows when, and a country that has no name.
create database raw;
create database marts;
create database used;
create database want;
create table raw.events (event_id Int32, event_ts Nullable(DateTime64(3, 'UTC')), amount Decimal(10, 2), country Nullable(String))
engine = MergeTree order by event_id as
select
    number,
    if(number < 150, toDateTime64('2024-03-25 00:07:00', 3, 'UTC') + toIntervalMinute(number * 97), null),
    cast(number * 7919 % 10000 as Decimal(10, 2)) / 100,
    multiIf(number % 4 = 0, 'DE', number % 4 = 1, 'AT', number % 4 = 2, 'O\'Neil\\/ä', null)
from numbers(152);
