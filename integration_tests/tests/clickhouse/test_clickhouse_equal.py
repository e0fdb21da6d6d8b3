"""P1, P2 and P8: on ClickHouse a run ends as a full refresh would, again and again, touches no other partition, and can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from clickhouse_shop import Shop

INPUT: dict[str, Any] = {"inputs": {"stg_events": "event_ts"}}
DAYS: dict[str, Any] = {"start": "2024-03-29", "end": "2024-03-31"}
FEWER: dict[str, Any] = {"expect": {"max_shrink": 0.2}}  # two events of the 29th were withdrawn
MARCH: dict[str, Any] = {"start": "2024-03-01", "end": "2024-04-01"}

# name → (model, arguments, the window in SQL, its partitions, units)
SHAPES: dict[str, tuple[str, dict[str, Any], str, str, int]] = {
    "months of a Date32": (
        "fct_month",
        {**MARCH, **INPUT},
        "order_date < '2024-04-01'",
        "partition_id = '202403'",
        1,
    ),
    "both months in one pass, newest first": (
        "fct_month",
        {"start": "2024-03-01", "through": "2024-04-30", "read": "once", "order": "descending"},
        "1",
        "1",
        2,
    ),
    "days as integers": (
        "fct_day",
        {**DAYS, **INPUT},
        "order_date in ('2024-03-29', '2024-03-30')",
        "partition_id in ('20240329', '20240330')",
        2,
    ),
    "a month of days": (
        "fct_day",
        {**MARCH, **INPUT, "grain": "month"},
        "toMonth(order_date) = 3",
        "partition_id like '202403%'",
        1,
    ),
    "a text that is a date": (
        "fct_date",
        {**DAYS, **FEWER, "column_format": "%Y%m%d"},
        "day in ('20240329', '20240330')",
        "partition in ('20240329', '20240330')",
        2,
    ),
    "a list of LowCardinality(Nullable(String))": (
        "fct_country",
        {"values": ["DE", "O'Neil\\/ä"], **FEWER},
        "country in ('DE', 'O\\'Neil\\\\/ä')",
        "partition not in ('AT', 'NULL', 'ᴺᵁᴸᴸ')",
        2,
    ),
    "an instant and a country": (
        "fct_nested",
        {**DAYS, **INPUT, **FEWER, "column": "event_ts"},
        "toDate(event_ts) in ('2024-03-29', '2024-03-30')",
        "partition like '(\\'2024-03-29\\'%' or partition like '(\\'2024-03-30\\'%'",
        2,
    ),
    "a microbatch model": ("fct_batch", {"start": "2024-01-01", "end": "2025-01-01"}, "1", "1", 1),
    "one country of some days": (
        "fct_nested",
        {**DAYS, **INPUT, **FEWER, "column": "event_ts", "where": {"country": ["DE", ""]}},
        "toDate(event_ts) in ('2024-03-29', '2024-03-30') and country in ('DE', '')",
        "partition in ('(\\'2024-03-29\\',\\'DE\\')', '(\\'2024-03-30\\',\\'DE\\')', "
        "'(\\'2024-03-29\\',\\'\\')', '(\\'2024-03-30\\',\\'\\')')",
        2,
    ),
    "ranges of integers": (
        "fct_range",
        {"start": 40, "end": 80, **FEWER},
        "event_id >= 40 and event_id < 80",
        "partition_id in ('2', '3')",
        2,
    ),
}


def spoil(shop: Shop, model: str, window: str) -> None:
    """Doubled rows, and rows with wrong amounts."""
    shop.sql(
        f"insert into marts.{model} select * replace (amount + 1000 as amount) from marts.{model} where {window}"
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_equal_again_and_back(shop: Shop, shape: str) -> None:
    """Spoiled, reprocessed, undone: each time the rows that must be there; the parts of other partitions are the same parts."""
    model, arguments, window, partitions, count = SHAPES[shape]
    outside = f"ifNull(({window}), 0) = 0"
    shop.restore(model)
    spoil(shop, model, window)
    before, others = shop.rows(model), shop.rows(model, outside)
    wanted, parts = shop.rows(model, window, "want"), shop.parts(model, f"not ({partitions})")
    assert shop.rows(model, window) != wanted
    assert bool(parts) == bool(others)

    ended = shop.backfill(model, run_id="first", **{**arguments, "expect": {"max_shrink": 0.6}})

    assert ended.status == 0, ended.printed
    assert shop.units("first") == ["done"] * count
    assert shop.rows(model, window) == wanted
    assert shop.rows(model, outside) == others
    assert shop.parts(model, f"not ({partitions})") == parts
    if shape == "days as integers":
        ended = shop.backfill(model, run_id="second", **arguments)
        assert ended.status == 0, ended.printed
        assert shop.rows(model, window) == wanted
        assert shop.operation("rollback_backfill", run_id="second").status == 0

    ended = shop.operation("rollback_backfill", run_id="first")

    assert ended.status == 0, ended.printed
    assert shop.units("first") == ["rolled back"] * count
    assert shop.rows(model) == before
    assert shop.parts(model, f"not ({partitions})") == parts
    assert (
        shop.sql(
            "select name from system.tables where database = 'marts' and name like 'backfill_safety_rows%'"
        )
        == []
    )


def test_undo_refuses_what_was_written_later(shop: Shop) -> None:
    """P8: one unit was written to after the run: nothing is undone; the other can be, by its name."""
    shop.restore("fct_day")
    ended = shop.backfill("fct_day", run_id="first", **DAYS, **INPUT)
    assert ended.status == 0, ended.printed
    shop.sql("insert into marts.fct_day values ('XX', 1, 1, 1, null, '2024-03-30')")
    after = shop.rows("fct_day")
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 1
    assert ended.error.startswith("written to since run first: 2024-03-30; undoing would lose that"), (
        ended.printed
    )
    assert shop.rows("fct_day") == after
    ended = shop.operation("rollback_backfill", run_id="first", units=["2024-03-29"])
    assert ended.status == 0, ended.printed
    day = "order_date = '2024-03-29'"
    assert shop.rows("fct_day", day) == shop.rows("fct_day", day, "used")


def test_a_new_column(shop: Shop) -> None:
    """Added before the first unit; NULL outside of the window, as a full refresh has it inside; an undo brings the old rows back."""
    shop.restore("fct_range")
    shop.sql("alter table marts.fct_range drop column odd_amount")
    ended = shop.backfill("fct_range", run_id="first", start=40, end=80, **FEWER)
    assert ended.status == 0, ended.printed
    window = "event_id >= 40 and event_id < 80"
    assert shop.rows("fct_range", window) == shop.rows("fct_range", window, "want")
    assert shop.value(f"select count(odd_amount) from marts.fct_range where not ({window})") == 0
    assert shop.value(f"select count(odd_amount) from marts.fct_range where {window}") > 0
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 0, ended.printed
    names = "select event_id, amount, country from {}.fct_range order by event_id"
    assert shop.sql(names.format("marts")) == shop.sql(names.format("used"))


def test_more_partitions_than_an_insert_may_fill(shop: Shop) -> None:
    """A unit of 150 partitions in one pass: ClickHouse stops an insert into more than a hundred, unless it is told not to."""
    shop.sql("drop table if exists marts.fct_keys")
    shop.sql(
        "create table marts.fct_keys (ts DateTime('UTC'), `od``d` String, amount Int32) engine = MergeTree partition by amount order by ts"
    )
    ended = shop.backfill("fct_keys", column="amount", start=0, end=150, grain=150, read="once")
    assert ended.status == 0, ended.printed
    events = "select count(*) from raw.events where event_id < 150 and event_ts is not null"
    assert shop.value("select count(*) from marts.fct_keys") == shop.value(events)
    assert len(shop.parts("fct_keys")) > 100


def test_status_cancel_and_clean_up(shop: Shop) -> None:
    """The other operations: a stopped run is shown and ended; its tables go with it."""
    shop.restore("fct_date")
    ended = shop.backfill("fct_date", run_id="stopped", column_format="%Y%m%d", **DAYS)
    assert ended.status == 1, ended.printed
    ended = shop.operation("backfill_status", run_id="stopped")
    assert "stopped  failed" in ended.printed, ended.printed
    assert shop.operation("cancel_backfill", run_id="stopped").status == 0
    assert shop.value("select state from marts.backfill_safety_runs") == "cancelled"
    ended = shop.operation("cleanup_backfills", keep_days=0)
    assert ended.status == 0, ended.printed
    left = "select name from system.tables where database = 'marts' and name like 'backfill_safety_%_stopped'"
    assert shop.sql(left) == []


def test_an_empty_target(shop: Shop) -> None:
    """The maximum of no rows is NULL, and not the type's zero: no row is taken for newer than a cursor that is not there."""
    shop.restore("fct_month")
    shop.sql("truncate table marts.fct_month")
    ended = shop.backfill("fct_month", start="2024-03-01", end="2024-05-01")
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_month") == shop.rows("fct_month", schema="want")
