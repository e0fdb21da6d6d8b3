"""P5: a new column is added without making others wait: altering is given up after a second, and tried again."""

from __future__ import annotations

import time
from typing import Any

import pytest
from pg_shop import Shop, until

WINDOW: dict[str, Any] = {
    "start": "2024-03-30",
    "end": "2024-04-03",
    "column": "order_date",
    "inputs": {"stg_events": "event_ts"},
    "run_id": "first",
}
DAYS = "order_date >= date '2024-03-30' and order_date < date '2024-04-03'"
HAS_COUNTRY = """
    select count(*) from information_schema.columns
    where table_schema = 'marts' and table_name = 'fct_wider' and column_name = 'country'
"""
READS = "select count(*) from marts.fct_wider"


@pytest.fixture
def narrow(shop: Shop) -> Shop:
    """A table that lacks the last column of its model, and a ledger."""
    shop.sql("alter table marts.fct_wider drop column country")
    assert shop.backfill("fct_daily", **{**WINDOW, "run_id": "earlier"}).status == 0
    return shop


def right(shop: Shop) -> None:
    """The window is as a full refresh has it; elsewhere the column is empty, and all else as it was."""
    assert shop.rows("fct_wider", DAYS) == shop.rows("fct_wider", DAYS, "refreshed")
    columns = f"select event_id, order_date, amount from marts.fct_wider where not ({DAYS}) order by 1, 2, 3"
    assert shop.sql(columns) == shop.sql(columns, "used")
    assert shop.value(f"select count(country) from marts.fct_wider where not ({DAYS})") == 0


@pytest.mark.parametrize("worker", [None, "w1"])
@pytest.mark.parametrize("timeout", ["0", "3s"])
def test_readers_do_not_queue_behind_it(narrow: Shop, timeout: str, worker: str | None) -> None:
    """A reader has the table open; others read on, none for longer than two seconds; once it ends the run goes on by itself."""
    narrow.sql(f"alter database shop set lock_timeout = '{timeout}'")
    window = WINDOW if worker is None else {**WINDOW, "worker": worker}
    with narrow.blocked(READS):
        running = narrow.begin_backfill("fct_wider", **window)
        until(
            lambda: "waits     to add country" in running.printed or not running.is_running(),
            lambda: running.printed,
        )
        assert "(held by session" in running.printed
        assert f": {READS})" in running.printed
        began = time.monotonic()
        while time.monotonic() - began < 4:
            narrow.sql(f"set lock_timeout = 0; set statement_timeout = '2s'; {READS}")
        assert running.is_running(), running.printed
        assert narrow.value("select count(*) from marts.backfill_safety_runs where run_id = 'first'") == 0
    assert running.ended().status == 0, running.printed
    right(narrow)


def test_a_lock_that_is_never_had(narrow: Shop) -> None:
    """After ten tries it ends in one line that says who has the lock; nothing was written, and the same call goes on later."""
    narrow.sql("alter database shop set lock_timeout = '50ms'")
    with narrow.blocked(READS):
        ended = narrow.backfill("fct_wider", **WINDOW)
        assert ended.status == 1
        assert ended.error.startswith(
            'country could not be added to "shop"."marts"."fct_wider"; nothing was written: ten times its lock was not had '
            "(held by session "
        ), ended.printed
        assert ended.error.endswith("). Ask again when that has ended"), ended.printed
    assert narrow.value(HAS_COUNTRY) == 0
    assert narrow.value("select count(*) from marts.backfill_safety_runs where run_id = 'first'") == 0
    assert narrow.value("select count(*) from marts.backfill_safety_leases") == 0
    ended = narrow.backfill("fct_wider", **WINDOW)
    assert ended.status == 0, ended.printed
    right(narrow)


def test_a_column_that_may_not_be_added(narrow: Shop) -> None:
    """It is told in Postgres's words, and nothing was written."""
    narrow.sql("""
        create function raw.refuse() returns event_trigger language plpgsql as $$ begin raise exception 'no changes today'; end $$;
        create event trigger no_changes on ddl_command_start when tag in ('ALTER TABLE') execute function raw.refuse()
    """)
    ended = narrow.backfill("fct_wider", **WINDOW)
    assert ended.status == 1
    assert ended.error == (
        'country could not be added to "shop"."marts"."fct_wider"; nothing was written: no changes today'
    ), ended.printed
    assert narrow.value("select count(*) from marts.backfill_safety_leases") == 0


def test_killed_after_the_column_was_added(narrow: Shop) -> None:
    """Before the run stands in the ledger: the column is there, and the same call does what it would have done."""
    with narrow.blocked("lock table marts.backfill_safety_units in share mode"):
        running = narrow.begin_backfill("fct_wider", **WINDOW)
        narrow.until_waiting(running, "relation")
        running.kill()
        # Postgres would notice at the end of the script that waits here, which ends with a commit
        narrow.sql(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'shop' and application_name = 'dbt'"
        )
        narrow.until_gone()
        assert narrow.value(HAS_COUNTRY) == 1
    assert narrow.value("select count(*) from marts.backfill_safety_runs where run_id = 'first'") == 0
    ended = narrow.backfill("fct_wider", **WINDOW)
    assert ended.status == 0, ended.printed
    right(narrow)


@pytest.mark.parametrize(
    ("change", "words"),
    [("add column note text", "new: note"), ("drop column amount", "gone: amount")],
)
@pytest.mark.parametrize("worker", [None, "w1"])
def test_a_column_that_changes_while_a_run_goes_on(
    shop: Shop, change: str, words: str, worker: str | None
) -> None:
    """The unit after it is not written, and the line says which column; a new run does the window where the table can have it."""
    window = {**WINDOW, "pause_seconds": 1} | ({"worker": worker} if worker else {})
    running = shop.begin_backfill("fct_daily", **window)
    until(lambda: " 1/4 " in running.printed or not running.is_running(), lambda: running.printed)
    shop.sql(f"alter table marts.fct_daily {change}")
    ended = running.ended()
    assert ended.status == 1
    assert (
        "could not be replaced: the columns of the table have changed since the run was planned "
        f"({words}); ask again without run_id"
    ) in ended.error, ended.printed
    assert shop.value("select count(*) from marts.backfill_safety_units where state = 'failed'") == 1
    if "note" in words:
        anew = shop.backfill("fct_daily", **{**WINDOW, "run_id": "anew"})
        assert anew.status == 0, anew.printed
