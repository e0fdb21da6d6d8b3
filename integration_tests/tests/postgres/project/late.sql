-- What makes a reprocessing needed: wrong amounts of three weeks, late rows in them and on the last day; none is newer than the newest.
update raw.events set amount = amount + 1 where event_ts >= timestamp '2024-03-20' and event_ts < timestamp '2024-04-10';
insert into raw.events
select 5000 + i, timestamp '2024-03-20 11:30:00' + i * interval '7 hours', 5.5, 'DE' from generate_series(0, 69) as i;
insert into raw.events
select 6000 + i, timestamp '2024-05-02 01:30:00' + i * interval '1 hour', 2.5, 'AT' from generate_series(0, 9) as i;
