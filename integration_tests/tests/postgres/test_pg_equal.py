"""P1, P2 and P8: on Postgres a run ends as a full refresh would, again and again, and can be undone."""

from __future__ import annotations

from typing import Any

import pytest
from pg_shop import Shop

DAYS: dict[str, Any] = {"start": "2024-03-30", "end": "2024-04-02"}
DATES = "order_date >= date '2024-03-30' and order_date < date '2024-04-02'"
TIMES = "event_ts >= timestamp '2024-03-30' and event_ts < timestamp '2024-04-02'"
ZONED = "seen_at >= timestamptz '2024-03-30 00:00:00+01' and seen_at < timestamptz '2024-04-02 00:00:00+02'"
INPUT = {"inputs": {"stg_events": "event_ts"}}

# name → (model, arguments, the window in SQL)
SHAPES: dict[str, tuple[str, dict[str, Any], str]] = {
    "delete+insert": ("fct_daily", {"column": "order_date", **INPUT}, DATES),
    "read once, joined": (
        "fct_daily",
        {"column": "order_date", "read": "once", "units_per_commit": 2, "order": "descending"},
        DATES,
    ),
    "append": ("fct_append", {"column": "event_ts", **INPUT}, TIMES),
    "merge": ("fct_merge", {"column": "event_ts", "grain": "day", **INPUT}, TIMES),
    "a clock that changes": ("fct_zoned", {"column": "seen_at", "timezone": "Europe/Berlin"}, ZONED),
    "a unique index": ("fct_indexed", {"column": "order_date", **INPUT}, DATES),
    "declared partitions": ("fct_partitioned", {"column": "order_date", **INPUT}, DATES),
}
KEYLESS = {"fct_append", "fct_daily"}


def spoil(shop: Shop, model: str, window: str) -> None:
    """Wrong and missing rows and, where no key forbids it, doubled ones."""
    shop.sql(f"""
        update marts.{model} set amount = amount + 1000 where {window} and abs(hashtext(amount::text)) % 3 = 0;
        delete from marts.{model} where {window} and abs(hashtext(amount::text)) % 3 = 1
    """)
    if model in KEYLESS:
        shop.sql(
            f"insert into marts.{model} select * from marts.{model} where {window} and abs(hashtext(amount::text)) % 3 = 2"
        )


@pytest.mark.parametrize("shape", SHAPES)
def test_equal_again_and_back(shop: Shop, shape: str) -> None:
    """Spoiled, reprocessed, reprocessed again, undone: each time the rows that must be there, in the window and outside."""
    model, arguments, window = SHAPES[shape]
    spoil(shop, model, window)
    before, outside = shop.rows(model), shop.rows(model, f"({window}) is not true")
    wanted = shop.rows(model, window, "refreshed")
    assert shop.rows(model, window) != wanted

    ended = shop.backfill(model, run_id="first", **DAYS, **arguments)

    assert ended.status == 0, ended.printed
    assert shop.units("first") == ["done"] * 3
    assert shop.rows(model, window) == wanted
    assert shop.rows(model, f"({window}) is not true") == outside
    if shape == "delete+insert":
        ended = shop.backfill(model, run_id="second", **DAYS, **arguments)
        assert ended.status == 0, ended.printed
        assert shop.rows(model, window) == wanted
        assert shop.operation("rollback_backfill", run_id="second").status == 0

    ended = shop.operation("rollback_backfill", run_id="first")

    assert ended.status == 0, ended.printed
    assert shop.rows(model) == before


def test_partitions_hold_their_own_rows(shop: Shop) -> None:
    """Rows of a table with declared partitions lie in the partition of their day."""
    ended = shop.backfill("fct_partitioned", column="order_date", **DAYS, **INPUT)
    assert ended.status == 0, ended.printed
    march = shop.rows("fct_partitioned", "order_date < date '2024-04-01'")
    assert shop.rows("fct_partitioned_03") == march
    assert shop.value("select count(*) from marts.fct_partitioned_rest where order_date is not null") == 0


def test_another_sessions_settings(shop: Shop) -> None:
    """P8: whoever undoes has another zone, another form of dates and fewer digits than who ran it: the same rows, so it is undone."""
    before = shop.rows("fct_zoned")
    arguments: dict[str, Any] = {"column": "seen_at", "timezone": "Europe/Berlin", **DAYS}
    assert shop.backfill("fct_zoned", run_id="first", **arguments).status == 0
    assert shop.rows("fct_zoned", ZONED) == shop.rows("fct_zoned", ZONED, "refreshed")
    shop.sql("""
        alter database shop set timezone = 'Asia/Tokyo';
        alter database shop set datestyle = 'German, DMY';
        alter database shop set extra_float_digits = -10
    """)
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_zoned") == before
    ended = shop.backfill("fct_zoned", run_id="second", **arguments)
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_zoned", ZONED) == shop.rows("fct_zoned", ZONED, "refreshed")


def test_undo_refuses_what_was_written_later(shop: Shop) -> None:
    """P8: one unit was written to after the run: nothing is undone."""
    assert shop.backfill("fct_daily", run_id="first", column="order_date", **DAYS, **INPUT).status == 0
    shop.sql(
        "update marts.fct_daily set orders = orders + 1 where order_date = date '2024-03-31' and country = 'DE'"
    )
    after = shop.rows("fct_daily")
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 1
    assert ended.error.startswith("written to since run first: 2024-03-31; undoing would lose that"), (
        ended.printed
    )
    assert shop.rows("fct_daily") == after


def test_without_the_guard_hooks_the_plan_blocks(shop: Shop) -> None:
    """BF304 for a model whose live run nobody holds back; not for one with both hooks, nor where the schedule is paused."""
    ended = shop.backfill("fct_bare", column="order_date", **DAYS, **INPUT)
    assert ended.status == 1
    assert ended.error.startswith("RESTRUCTURE FIRST: nothing was written; BF304"), ended.printed
    assert shop.value("select to_regclass('marts.backfill_safety_runs') is null")
    assert (
        "BF304" not in shop.backfill("fct_daily", column="order_date", dry_run=True, **DAYS, **INPUT).printed
    )
    paused = shop.backfill("fct_bare", column="order_date", live="paused", dry_run=True, **DAYS, **INPUT)
    assert "BF304" not in paused.printed
