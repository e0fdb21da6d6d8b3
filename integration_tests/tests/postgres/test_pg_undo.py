"""P8: an undo on Postgres gives back what an insert by itself would not, waits for nobody without end, and says in one line why not."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pg_shop import Shop

WINDOW: dict[str, Any] = {
    "start": "2024-03-30",
    "end": "2024-04-01",
    "column": "order_date",
    "inputs": {"stg_events": "event_ts"},
    "run_id": "first",
}


def done(shop: Shop, model: str, **more: Any) -> None:
    """A run of two days."""
    ended = shop.backfill(model, **WINDOW, **more)
    assert ended.status == 0, ended.printed


def test_columns_that_the_engine_fills(shop: Shop) -> None:
    """One that is generated is computed anew; the numbers of an identity column come back as they were; so with keep_missing."""
    shop.sql("""
        alter table marts.fct_indexed add column twice numeric generated always as (amount * 2) stored;
        alter table marts.fct_indexed add column id bigint generated always as identity;
        insert into marts.fct_indexed (event_id, order_date, amount) values (9999, date '2024-03-31', 1)
    """)
    before = shop.rows("fct_indexed")
    done(shop, "fct_indexed", expect={"keep_missing": True})
    assert shop.value("select count(*) from marts.fct_indexed where event_id = 9999 and twice = 2") == 1
    assert shop.rows("fct_indexed") != before
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_indexed") == before


def test_a_column_that_came_later_is_not_trampled(shop: Shop) -> None:
    """The backup knows nothing of it, so a unit that holds something there is one that was written to."""
    done(shop, "fct_daily")
    shop.sql("""
        alter table marts.fct_daily add column note text;
        update marts.fct_daily set note = 'seen' where order_date = date '2024-03-30' and country = 'DE'
    """)
    before = shop.rows("fct_daily")
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.error.startswith("written to since run first: 2024-03-30; "), ended.printed
    assert shop.rows("fct_daily") == before
    ended = shop.operation("rollback_backfill", run_id="first", units=["2024-03-31"])
    assert ended.status == 0, ended.printed


@pytest.mark.parametrize(
    ("mode", "line"),
    [
        ("access exclusive", '"shop"."marts"."fct_daily" could not be looked at, and nothing was undone: {}'),
        (
            "share",
            "2024-03-31 could not be undone: {}; 2024-03-31 and older units are left as they are. Ask again",
        ),
    ],
)
def test_a_lock_that_is_not_had(shop: Shop, mode: str, line: str) -> None:
    """The look at all units and the undo of each wait two minutes, or as long as the role says, and then say who has it."""
    done(shop, "fct_daily")
    shop.sql("alter database shop set lock_timeout = '100ms'")
    before, units = shop.rows("fct_daily"), shop.units("first")
    with shop.blocked(f"lock table marts.fct_daily in {mode} mode"):
        ended = shop.operation("rollback_backfill", run_id="first")
        holder = shop.value(
            "select pid from pg_locks where mode ~ '^(AccessEx|Share)' and locktype = 'relation' and granted limit 1"
        )
    assert ended.status == 1
    words = f"canceling statement due to lock timeout (held by session {holder} of shop for 0 s: lock table marts.fct_daily in {mode} mode)"
    assert re.sub(r"for \d+ s", "for 0 s", ended.error) == line.format(words), ended.printed
    assert (shop.rows("fct_daily"), shop.units("first")) == (before, units)
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_daily") == shop.rows("fct_daily", database="used")


def test_without_a_role_that_says_how_long(shop: Shop) -> None:
    """The first look waits for two minutes then, as its session says."""
    done(shop, "fct_daily")
    with shop.blocked("lock table marts.fct_daily in access exclusive mode"):
        undo = shop.begin_operation("rollback_backfill", run_id="first")
        shop.until_waiting(undo, "relation")
        waiting = "select query ~ 'lock_timeout.*2min' from pg_stat_activity where wait_event_type = 'Lock'"
        assert shop.value(waiting)
    assert undo.ended().status == 0, undo.printed


def test_what_the_table_does_not_take_back(shop: Shop) -> None:
    """A constraint that came later: told of the unit in one line, and nothing of it stays undone."""
    done(shop, "fct_daily")
    shop.sql(
        "alter table marts.fct_daily add constraint few check (order_date <> date '2024-03-30' or orders > 1) not valid"
    )
    shop.sql("update marts.backfill_safety_backup_first set orders = 1 where order_date = date '2024-03-30'")
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 1
    assert ended.error.startswith("2024-03-30 could not be undone: new row for relation"), ended.printed
    assert shop.units("first") == ["done", "rolled back"]
