"""P7: what hangs on a table of Postgres, and hooks that guard nothing, are told before the first write."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from pg_shop import Shop

WINDOW: dict[str, Any] = {
    "start": "2024-03-30",
    "end": "2024-04-02",
    "column": "order_date",
    "inputs": {"stg_events": "event_ts"},
}


@pytest.mark.parametrize(
    ("action", "effect"),
    [
        ("on delete cascade", "deleting a row deletes those, and no backup keeps them"),
        ("on delete set null", "deleting a row sets them to NULL, and no backup keeps them"),
        ("", "deleting a row that is referred to is refused"),
    ],
)
def test_a_foreign_key_that_comes_in_blocks(shop: Shop, action: str, effect: str) -> None:
    """Rows that refer to the table's would go or change with them: nothing is written until that is accepted."""
    shop.sql(f"""
        create table marts.notes (event_id bigint constraint of_event references marts.fct_indexed (event_id) {action});
        insert into marts.notes select event_id from marts.fct_indexed where order_date = date '2024-03-31'
    """)
    before = shop.rows("fct_indexed"), shop.rows("notes")
    ended = shop.backfill("fct_indexed", **WINDOW)
    assert ended.status == 1
    assert ended.error == (
        "RESTRUCTURE FIRST: nothing was written; BF606: rows of marts.notes refer to fct_indexed (of_event): "
        + effect
    ), ended.printed
    assert (shop.rows("fct_indexed"), shop.rows("notes")) == before


def test_triggers_and_row_policies_are_named(shop: Shop) -> None:
    """Those that act: not a trigger that is disabled, nor a policy that does not hold for this role."""
    shop.sql("""
        create function raw.nothing() returns trigger language plpgsql as 'begin return new; end';
        create trigger asleep before insert on marts.fct_daily for each row execute function raw.nothing();
        create trigger awake before insert on marts.fct_daily for each row execute function raw.nothing();
        alter table marts.fct_daily disable trigger asleep, enable row level security
    """)
    printed = shop.backfill("fct_daily", dry_run=True, **WINDOW).printed
    assert "trigger awake of fct_daily may act on every row" in printed
    assert "asleep" not in printed
    assert "row policy" not in printed


def test_without_the_guard_hooks_the_plan_blocks(shop: Shop) -> None:
    """BF304 for a model whose live run nobody holds back; not for one with both hooks, nor where the schedule is paused."""
    reaching = {**WINDOW, "end": "2024-05-03"}
    ended = shop.backfill("fct_bare", **reaching)
    assert ended.status == 1
    assert ended.error.startswith("RESTRUCTURE FIRST: nothing was written; BF304"), ended.printed
    assert shop.value("select to_regclass('marts.backfill_safety_runs') is null")
    assert "BF304" not in shop.backfill("fct_daily", dry_run=True, **reaching).printed
    paused = shop.backfill("fct_bare", live="paused", dry_run=True, **reaching)
    assert "BF304" not in paused.printed


def test_hooks_outside_of_the_transaction_guard_nothing(shop: Shop) -> None:
    """A lock that ends before the model writes is none: BF304."""
    ended = shop.backfill("fct_outside", **WINDOW)
    assert ended.status == 1
    assert ended.error.startswith("RESTRUCTURE FIRST: nothing was written; BF304"), ended.printed


def test_hooks_of_a_microbatch_model_guard_nothing(shop: Shop) -> None:
    """dbt runs them in the first and the last batch alone: BF304, and the hooks are not what to add."""
    shop.sql("create table marts.fct_batch as select event_id, event_ts, amount from raw.events")
    today = datetime.now(timezone.utc).date()
    ended = shop.backfill("fct_batch", start=str(today - timedelta(days=2)), through=str(today))
    assert ended.status == 1
    assert ended.error.startswith("RESTRUCTURE FIRST: nothing was written; BF304"), ended.printed
    assert "pause the schedule and write live: paused" in ended.printed
    assert "add the guard hooks" not in ended.printed
    ended = shop.backfill("fct_batch", live="paused", start="2024-03-30", end="2024-04-02")
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_batch") == Counter(shop.sql("select event_id, event_ts, amount from raw.events"))
