"""P10: what Postgres refuses outside of a commit's own work is told in one line, and leaves no lease behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from pg_shop import Shop, turn_of, until
from shop import Ended

WINDOW: dict[str, Any] = {
    "start": "2024-03-30",
    "end": "2024-04-01",
    "column": "order_date",
    "inputs": {"stg_events": "event_ts"},
    "run_id": "first",
}
DAYS = "order_date >= date '2024-03-30' and order_date < date '2024-04-01'"
DAY: dict[str, Any] = {**WINDOW, "end": "2024-03-31"}
ONCE: dict[str, Any] = {**WINDOW, "inputs": {}, "read": "once"}


def state(shop: Shop) -> tuple[str, int]:
    """How the run stands, and how many leases there are."""
    return (
        shop.value("select state from marts.backfill_safety_runs where run_id = 'first'"),
        shop.value("select count(*) from marts.backfill_safety_leases"),
    )


def goes_on(shop: Shop, **arguments: Any) -> None:
    """The same call does what is left."""
    ended = shop.backfill("fct_daily", **(arguments or WINDOW))
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_daily", DAYS) == shop.rows("fct_daily", DAYS, "refreshed")


@contextmanager
def next_in_line(shop: Shop, text: str) -> Iterator[None]:
    """A session that asks for a lock now, gets it whenever it can, and has it until the end of the block."""
    connection = shop.server.connect("shop")
    connection.autocommit = False
    asks = threading.Thread(target=connection.cursor().execute, args=(text,))
    asks.start()
    try:
        waits = f"select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query = '{text}'"
        until(lambda: shop.value(waits) == 1, lambda: "nobody waits")
        yield
    finally:
        asks.join()
        connection.close()


def ended_behind_a_lock(shop: Shop, table: str) -> Ended:
    """A run of one day whose commit holds up another's lock of a table, which has it from then on."""
    shop.sql("alter database shop set lock_timeout = '700ms'")
    with shop.held("1"):
        running = shop.begin_backfill("fct_daily", **DAY)
        shop.until_waiting(running, "advisory")
        with next_in_line(shop, f"lock table {table} in access exclusive mode"):
            shop.sql(
                "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = 1 and granted"
            )
            return running.ended()


def test_a_table_that_is_locked_at_the_end(shop: Shop) -> None:
    """All units are done, and the look at the whole is not had: the run says so, and the same call ends it."""
    ended = ended_behind_a_lock(shop, "marts.fct_daily")
    assert ended.error == (
        'run first is incomplete: 1 of 1 day done; "shop"."marts"."fct_daily" could not be looked at as a whole: '
        "canceling statement due to lock timeout; ask again"
    ), ended.printed
    assert state(shop) == ("incomplete", 0)
    ended = shop.backfill("fct_daily", **DAY)
    assert ended.status == 0, ended.printed
    assert state(shop) == ("done", 0)


def test_a_source_that_is_locked_at_the_end(shop: Shop) -> None:
    """Whether rows came late is not known then, and the run is done all the same."""
    ended = ended_behind_a_lock(shop, "raw.events")
    assert ended.status == 0, ended.printed
    assert "late      not known of stg_events: canceling statement due to lock timeout" in ended.printed
    assert state(shop) == ("done", 0)


def test_a_table_that_is_gone(shop: Shop) -> None:
    """Dropped between two commits: the unit is failed in Postgres's words, and the run ends."""
    with shop.held(turn_of("fct_daily")):
        running = shop.begin_backfill("fct_daily", **WINDOW)
        until(lambda: begun(shop), lambda: running.printed)
        shop.sql("drop table marts.fct_daily")
    ended = running.ended()
    assert ended.error == (
        'run first is failed: 0 of 2 days done; 2024-03-30 could not be replaced: relation "marts.fct_daily" does not exist'
    ), ended.printed
    assert state(shop) == ("failed", 0)


def test_what_is_checked_at_the_commit_alone(shop: Shop) -> None:
    """A deferred key: the unit that breaks it is failed, and says so, before it is committed."""
    shop.sql("""
        create table marts.days (day date primary key);
        insert into marts.days select distinct order_date from marts.fct_daily where order_date <> date '2024-03-31';
        delete from marts.fct_daily where order_date = date '2024-03-31' or order_date is null;
        alter table marts.fct_daily add constraint known foreign key (order_date) references marts.days deferrable initially deferred
    """)
    ended = shop.backfill("fct_daily", **WINDOW)
    assert ended.error.startswith(
        'run first is failed: 1 of 2 days done; 2024-03-31 could not be replaced: insert or update on table "fct_daily" '
        'violates foreign key constraint "known"'
    ), ended.printed
    assert shop.units("first") == ["done", "failed"]
    assert state(shop) == ("failed", 0)


def test_a_statement_that_takes_longer_than_the_role_may(shop: Shop) -> None:
    """A commit that is too long is a unit that failed; joined ones are split first; a rest is not meant by it."""
    shop.sql("alter database shop set statement_timeout = '1s'")
    with shop.held("1"):
        ended = shop.backfill("fct_daily", units_per_commit=2, **WINDOW)
    assert ended.error == (
        "run first is failed: 0 of 2 days done; 2024-03-30 could not be replaced: canceling statement due to statement timeout"
    ), ended.printed
    assert state(shop) == ("failed", 0)
    goes_on(shop, units_per_commit=2, pause_seconds=1.5, **WINDOW)


@contextmanager
def before_the_lease(shop: Shop, arguments: dict[str, Any]) -> Iterator[Any]:
    """A run that is planned and waits for another one that takes the lease, and gives it up at the end of the block."""
    assert shop.backfill("fct_daily", **{**WINDOW, "run_id": "earlier"}).status == 0
    taken = 'insert into marts.backfill_safety_leases (relation) values (\'"shop"."marts"."fct_daily"\')'
    with shop.blocked(taken):
        running = shop.begin_backfill("fct_daily", **arguments)
        shop.until_waiting(running, "transactionid")
        yield running


def test_rows_that_cannot_be_read_once(shop: Shop) -> None:
    """The window's source is locked: given up after a bounded wait, in one line; nothing was replaced."""
    shop.sql("alter database shop set lock_timeout = '1500ms'")
    with shop.blocked("select 1"):
        with before_the_lease(shop, ONCE) as running:
            other = shop.server.connect("shop")
            other.autocommit = False
            other.cursor().execute("lock table raw.events in access exclusive mode")
        ended = running.ended()
        other.close()
    assert ended.error == (
        "the rows of the window could not be read: canceling statement due to lock timeout; nothing was replaced. "
        "See pg_locks for who has what it reads, then ask again"
    ), ended.printed
    assert state(shop) == ("incomplete", 0)
    goes_on(shop, **ONCE)


def test_a_lease_that_is_held_in_a_long_commit(shop: Shop) -> None:
    """Expired, and its row locked by the commit that renews it: who asks for it does not wait without end, and says why."""
    assert shop.backfill("fct_daily", **{**WINDOW, "run_id": "earlier"}).status == 0
    shop.sql("""
        insert into marts.backfill_safety_leases
        values ('"shop"."marts"."fct_daily"', 'somebody', now(), timezone('UTC', clock_timestamp()) - interval '1 minute');
        alter database shop set lock_timeout = '100ms'
    """)
    with shop.blocked("update marts.backfill_safety_leases set taken_at = taken_at"):
        ended = shop.backfill("fct_daily", **WINDOW)
    assert ended.error == (
        'the lease of "shop"."marts"."fct_daily" was not had (canceling statement due to lock timeout): '
        "its holder has been in one commit for longer than that; ask again when it has ended"
    ), ended.printed
    goes_on(shop)


def test_a_session_that_may_not_write(shop: Shop) -> None:
    """A replica, or a role that reads alone: the plan is there, the ledger is not made, and the line says why."""
    shop.sql("alter database shop set default_transaction_read_only = on")
    assert shop.backfill("fct_daily", dry_run=True, **WINDOW).status == 0
    ended = shop.backfill("fct_daily", **WINDOW)
    assert ended.error == (
        'the ledger of "shop"."marts"."fct_daily" could not be made: cannot execute CREATE TABLE in a read-only transaction; '
        "nothing was written"
    ), ended.printed


def test_rows_read_once_that_somebody_looks_at(shop: Shop) -> None:
    """Their table is left for cleanup_backfills, and the run is done."""
    shop.sql("alter database shop set lock_timeout = '300ms'")
    with shop.held(turn_of("fct_daily")):
        running = shop.begin_backfill("fct_daily", **ONCE)
        until(
            lambda: shop.value("select to_regclass('marts.backfill_safety_rows_first') is not null"),
            lambda: running.printed,
        )
        looking = shop.blocked("select * from marts.backfill_safety_rows_first")
        looking.__enter__()
    assert running.ended().status == 0, running.printed
    looking.__exit__(None, None, None)
    assert state(shop) == ("done", 0)
    assert "backfill_safety_rows_first" in shop.operation("cleanup_backfills", run_id="first").printed


def test_a_run_that_was_killed_does_not_count_as_running(shop: Shop) -> None:
    """Status says that nobody is there; once another run has the lease it is incomplete, and cancel ends it at once."""
    with shop.held("1"):
        killed = shop.begin_backfill("fct_daily", **WINDOW)
        shop.until_waiting(killed, "advisory")
        killed.kill()
    shop.until_gone()
    said = "2024-03-30 to 2024-04-01 by day  has ended without a word: ask again to go on  2 planned"
    assert said in shop.operation("backfill_status").printed
    with shop.held("1"):
        other = shop.begin_backfill("fct_daily", **{**WINDOW, "end": "2024-03-31", "run_id": "other"})
        shop.until_waiting(other, "advisory")
        assert state(shop) == ("incomplete", 1)
        printed = shop.operation("backfill_status").printed
        assert "without a word" not in printed
        printed = shop.operation("cancel_backfill", run_id="first").printed
        assert printed.strip() == "cancelled first; finished units stay (undo: rollback_backfill)"
    assert other.ended().status == 0, other.printed
    assert state(shop) == ("cancelled", 0)


def test_a_run_that_another_call_has_begun_meanwhile(shop: Shop) -> None:
    """Planned as a new one, and there by the time its lease is had: it is not begun a second time."""
    with before_the_lease(shop, {**WINDOW, "backup": False}) as running:
        shop.sql("insert into marts.backfill_safety_runs (run_id, state) values ('first', 'done')")
    ended = running.ended()
    assert ended.error == (
        "run first has meanwhile been begun by another call and is done; see backfill_status, then ask again"
    ), ended.printed
    assert state(shop) == ("done", 0)
    assert shop.units("first") == []


def test_a_backup_that_is_gone_or_read_by_others(shop: Shop) -> None:
    """Dropped after a failure, the run does not go on; one that somebody reads is not waited for without end."""
    shop.sql(
        "alter table marts.fct_daily add constraint few check (order_date <> date '2024-03-31') not valid"
    )
    assert shop.backfill("fct_daily", **WINDOW).status == 1
    assert state(shop) == ("failed", 0)
    shop.sql(
        "alter table marts.fct_daily drop constraint few; alter database shop set lock_timeout = '100ms'"
    )
    backup = '"shop"."marts"."backfill_safety_backup_first"'
    with shop.blocked("select * from marts.backfill_safety_backup_first"):
        ended = shop.operation("cleanup_backfills", run_id="first")
        assert ended.error.startswith(
            f"{backup} could not be dropped: canceling statement due to lock timeout (held by session "
        ), ended.printed
    assert shop.operation("cleanup_backfills", run_id="first").status == 0
    ended = shop.backfill("fct_daily", **WINDOW)
    assert ended.error == (
        f"the backup of run first is gone ({backup}), so it cannot go on; leave run_id out for a new run"
    ), ended.printed
    assert state(shop) == ("failed", 0)


@pytest.mark.parametrize("level", ["repeatable read", "serializable"])
def test_another_isolation_level(shop: Shop, level: str) -> None:
    """A role's default does not reach into a commit: it sees what the live run has written while it waited; a guarded live run refuses."""
    shop.sql(f"""
        alter database shop set default_transaction_isolation = '{level}';
        create table raw.seen (level text);
        create or replace function raw.gate(n integer) returns integer language plpgsql as $$
        begin
            if pg_current_xact_id_if_assigned() is not null then
                insert into raw.seen values (current_setting('transaction_isolation'));
            end if;
            return n;
        end $$
    """)
    goes_on(shop)
    assert shop.sql("select distinct level from raw.seen") == [("read committed",)]
    ended = shop.run("run", "--select", "fct_daily")
    assert ended.status == 1
    assert "live_run_begins keeps writers of" in ended.printed
    assert (
        "write set transaction isolation level read committed as a pre-hook in front of it" in ended.printed
    )


def test_a_column_order_that_changes_meanwhile(shop: Shop) -> None:
    """A live run builds the table anew between two commits, its columns in another order: the backup keeps each value by its name."""
    shop.sql(
        "alter table marts.fct_indexed add column a text default 'is a', add column b text default 'is b'"
    )
    with shop.held(turn_of("fct_indexed")):
        running = shop.begin_backfill("fct_indexed", **WINDOW)
        until(lambda: begun(shop), lambda: running.printed)
        shop.sql("""
            create table marts.anew as select b, a, amount, order_date, event_id from marts.fct_indexed;
            drop table marts.fct_indexed;
            alter table marts.anew rename to fct_indexed
        """)
        before = shop.rows("fct_indexed")
    assert running.ended().status == 0, running.printed
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_indexed") == before


def begun(shop: Shop) -> bool:
    """Whether the run stands in the ledger."""
    return bool(
        shop.value("select to_regclass('marts.backfill_safety_runs') is not null") and shop.units("first")
    )
