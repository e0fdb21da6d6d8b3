-- What makes a reprocessing needed: amounts that were wrong for two months, and rows that came late.
update raw.events set amount = amount + 1 where event_ts >= timestamp '2024-02-01' and event_ts < timestamp '2024-04-01';
insert into raw.events
select
    5000 + i, i % 37, 1 + i % 5, timestamp '2024-02-01 11:30:00' + 17 * i * interval '1 hour', timestamp '2024-03-01', 5.5, 'DE'
from generate_series(0, 399) as t(i);
analyze;
