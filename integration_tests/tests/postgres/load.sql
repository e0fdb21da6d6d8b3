-- What others do to other days of the table meanwhile: change a row, add one, read some. pgbench runs it.
-- The rows end with 2020-02-19: a later moment would find none to change, or one that another client has added.
\set at random(0, 1641500)
\set id random(1, 1000000000)
begin;
update marts.fct_append set amount = amount + 1
where event_ts = (
    select min(event_ts) from marts.fct_append where event_ts >= timestamp '2020-02-01' + :at * interval '1 second'
);
insert into marts.fct_append values (-:id, timestamp '2020-02-25' + :at * interval '1 second', 0, 'CH');
select count(*) from marts.fct_append
where event_ts >= timestamp '2020-01-01' + :at * interval '1 second'
    and event_ts < timestamp '2020-01-01 00:10:00' + :at * interval '1 second';
commit;
