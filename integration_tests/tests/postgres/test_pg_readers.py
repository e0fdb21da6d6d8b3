"""What others see of a commit that is under way, whom it makes wait, and what it does when it has to wait itself."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import Any

import pytest
from pg_shop import Shop, turn_of, until

WINDOW: dict[str, Any] = {
    "start": "2024-03-30",
    "end": "2024-04-01",
    "column": "order_date",
    "inputs": {"stg_events": "event_ts"},
    "units_per_commit": 2,
    "read": "per_unit",
}
DAYS = "order_date >= date '2024-03-30' and order_date < date '2024-04-01'"


def test_no_reader_sees_half_a_unit(shop: Shop) -> None:
    """The old rows until the commit and the new ones after it; nothing else at any look."""
    old, new = shop.rows("fct_daily", DAYS), shop.rows("fct_daily", DAYS, "refreshed")
    with shop.held("1"):
        running = shop.begin_backfill("fct_daily", **WINDOW)
        shop.until_waiting(running, "advisory")
        assert shop.value(
            "select backend_xid is not null from pg_stat_activity where wait_event = 'advisory'"
        )
        assert shop.rows("fct_daily", DAYS) == old
    looks = []
    while running.is_running():
        looks.append(shop.rows("fct_daily", DAYS))
        time.sleep(0.01)
    assert running.ended().status == 0, running.printed
    assert all(look in (old, new) for look in looks)
    assert shop.rows("fct_daily", DAYS) == new


def test_nobody_else_waits(shop: Shop) -> None:
    """The table is locked as by any insert: readers and writers of other days go on, within a second."""
    with shop.held("1"):
        running = shop.begin_backfill("fct_daily", **WINDOW)
        shop.until_waiting(running, "advisory")
        modes = shop.sql("""
            select distinct mode from pg_locks
            where relation in (select oid from pg_class where relname ~ '^fct_daily' and relkind in ('r', 'i')) and pid <> pg_backend_pid()
        """)
        assert {mode for (mode,) in modes} <= {"AccessShareLock", "RowExclusiveLock"}
        assert ("RowExclusiveLock",) in modes
        shop.sql("set statement_timeout = '1s'; select count(*) from marts.fct_daily")
        shop.sql(
            "set statement_timeout = '1s'; update marts.fct_daily set orders = 7 where order_date = date '2024-04-01'"
        )
        shop.sql(
            "set statement_timeout = '1s'; insert into marts.fct_daily (order_date) values ('2023-01-01')"
        )
    assert running.ended().status == 0, running.printed


def test_a_lock_is_not_waited_for_without_end(shop: Shop) -> None:
    """A commit waits ten seconds, or as long as the role or the database says; then it is put off, and after six tries the run ends."""
    shop.sql("""
        create table raw.seen (timeout text);
        create or replace function raw.gate(n integer) returns integer language plpgsql as $$
        begin
            if pg_current_xact_id_if_assigned() is not null then insert into raw.seen values (current_setting('lock_timeout')); end if;
            return n;
        end $$
    """)
    ended = shop.backfill("fct_daily", **WINDOW)
    assert ended.status == 0, ended.printed
    assert shop.sql("select distinct timeout from raw.seen") == [("10s",)]
    shop.sql("alter database shop set lock_timeout = '100ms'")
    with shop.blocked(f"update marts.fct_daily set orders = orders where {DAYS}"):
        ended = shop.backfill("fct_daily", **WINDOW)
        assert ended.status == 1
        assert "six times a lock was not had (canceling statement due to lock timeout)" in ended.error, (
            ended.printed
        )
    assert shop.rows("fct_daily", DAYS) == shop.rows("fct_daily", DAYS, "refreshed")
    ended = shop.backfill("fct_daily", **WINDOW)
    assert ended.status == 0, ended.printed


@pytest.mark.parametrize(("own", "waits"), [("0", "2min"), ("300ms", "300ms")])
def test_a_plan_does_not_wait_without_end(shop: Shop, own: str, waits: str) -> None:
    """For two minutes, or as long as the role or the database says; a commit waits ten seconds, as without that."""
    shop.sql(f"""
        alter database shop set lock_timeout = '{own}';
        create table raw.seen (at timestamptz default clock_timestamp(), planned boolean, timeout text);
        create or replace function raw.gate(n integer) returns integer language plpgsql as $$
        begin
            insert into raw.seen (planned, timeout)
            values (pg_current_xact_id_if_assigned() is null, current_setting('lock_timeout'));
            return n;
        end $$
    """)
    ended = shop.backfill("fct_daily", **WINDOW)
    assert ended.status == 0, ended.printed
    seen = shop.sql("select planned, timeout from raw.seen order by at")
    assert seen[0] == (True, waits)
    assert (False, "10s" if own == "0" else own) in seen
    with shop.blocked("lock table marts.fct_daily in access exclusive mode"):
        if own == "0":
            running = shop.begin_backfill("fct_daily", **WINDOW)
            shop.until_waiting(running, "relation")
        else:
            ended = shop.backfill("fct_daily", **WINDOW)
            assert ended.status == 1
            assert "canceling statement due to lock timeout" in ended.printed
    assert shop.rows("fct_daily", DAYS) == shop.rows("fct_daily", DAYS, "refreshed")


@pytest.mark.parametrize("worker", [None, "w1"])
@pytest.mark.parametrize(
    "blocking",
    [
        "update marts.fct_daily set orders = orders where order_date = date '2024-03-30'",
        "lock table marts.fct_daily in share mode",
        "lock table raw.events in access exclusive mode",
    ],
    ids=["a row of the unit", "the table", "what is read"],
)
def test_a_unit_put_off_is_tried_again(shop: Shop, worker: str | None, blocking: str) -> None:
    """Its lock is not had; the others are done meanwhile where theirs are free; once it is let go the run ends well by itself."""
    shop.sql("alter database shop set lock_timeout = '100ms'")
    window = {**WINDOW, "units_per_commit": 1, "run_id": "again", "worker": worker}
    with ExitStack() as turn:
        turn.enter_context(shop.held(turn_of("fct_daily")))
        running = shop.begin_backfill("fct_daily", **{k: v for k, v in window.items() if v is not None})
        until(lambda: begun(shop), lambda: running.printed)
        with shop.blocked(blocking):
            turn.close()
            until(lambda: "put off: canceling statement" in running.printed, lambda: running.printed)
            if "2024-03-30" in blocking:
                until(lambda: shop.units("again") == ["planned", "done"], lambda: running.printed)
    ended = running.ended()
    assert ended.status == 0, ended.printed
    assert shop.units("again") == ["done"] * 2
    assert shop.rows("fct_daily", DAYS) == shop.rows("fct_daily", DAYS, "refreshed")


def begun(shop: Shop) -> bool:
    """Whether the run stands in the ledger."""
    return bool(
        shop.value("select to_regclass('marts.backfill_safety_runs') is not null") and shop.units("again")
    )
