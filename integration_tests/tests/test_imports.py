"""What models import, and what they bring along: right in the first build, in a live run and in a backfill."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from matrix import between
from shop import Shop, own_project

WAREHOUSES = ["duckdb", "postgres"]

WINDOW: dict[str, Any] = {"start": "2024-03-01", "end": "2024-03-04", "column": "order_date"}
MARCH = between("order_date", "2024-03-01", "2024-03-04")
NEW_ROW = "insert into raw.events values (7000, 1, 1, timestamp '2024-12-29 23:30:00', timestamp '2024-12-29 23:30:00', 9, 'DE')"


def test_a_live_run_reads_from_the_watermark_on(shop: Shop) -> None:
    """window() and watermark() in a live run: the new row is there, and days before the watermark are not touched."""
    shop.sql(NEW_ROW + f"; update marts.fct_window set orders = 0 where {MARCH}")
    before = shop.copy(shop.folder.parent / "before")
    ended = shop.run(
        "run",
        "--select",
        "fct_window",
        "fct_watermark",
        "fct_window_lookback",
        "fct_window_wide",
        "fct_is_backfill",
    )
    assert ended.status == 0, ended.printed
    newest = "order_date = date '2024-12-29'"
    assert shop.value(f"select orders from marts.fct_window where {newest}") == before.value(
        "select count(*) from raw.events where event_ts >= timestamp '2024-12-29'"
    )
    assert shop.differing_rows(before, "marts.fct_window", f"not {newest}") == 0
    for model in ("fct_watermark", "fct_window_lookback"):
        assert shop.value(f"select count(*) from marts.{model} where event_id = 7000") == 1
        assert (
            shop.differing_rows(
                before, f"marts.{model}", "event_ts < timestamp '2024-12-29'", "event_id, event_ts, amount"
            )
            == 0
        )
    assert shop.sql(
        "select written_by, count(*) > 0 from marts.fct_is_backfill where order_date is not null group by 1 order by 1"
    ) == [
        ("first", True),
        ("live", True),
    ]


DAY_KEY = "cast(extract(year from event_ts) * 10000 + extract(month from event_ts) * 100 + extract(day from event_ts) as integer)"
# name → (settings of the model, its partition column, what that is of event_ts, its window)
LIVE: dict[str, tuple[str, str, str, str]] = {
    "win_keys": ("'column_format': '%Y%m%d'", "day_key", DAY_KEY, "'day_key', lookback='3 days'"),
    "win_zone": (
        "'timezone': 'Asia/Tokyo'",
        "order_date",
        "cast(event_ts + interval '9 hours' as date)",
        "'event_ts', type='timestamp', lookback='2 days'",
    ),
}


def test_a_live_window_of_days(shop: Shop, tmp_path: Path) -> None:
    """Where dates are integers a lookback is one of days; where they are those of a zone they begin when that zone's days do."""
    shop.project = own_project(shop.dbt, tmp_path)
    for name, (settings, column, of_time, window) in LIVE.items():
        days = f"(select {of_time} as {column}, event_ts from {{{{ ref('stg_events') }}}} where event_ts is not null) as e"
        (shop.project / "models" / f"{name}.sql").write_text(
            f"{{{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='{column}', "
            f"meta={{'backfill_safety': {{'column': '{column}', {settings}}}}}) }}}}\n"
            f"select {column}, count(*) as orders from {days} where {{{{ backfill_safety.window({window}) }}}} group by 1"
        )
    assert shop.run("run", "--select", *LIVE).status == 0
    shop.sql(f"""
        {NEW_ROW};
        update marts.win_keys set orders = 0 where day_key = 20241226;
        update marts.win_zone set orders = 0 where order_date = date '2024-12-28'
    """)
    assert shop.run("run", "--select", *LIVE).status == 0
    for name, (_, column, of_time, _) in LIVE.items():
        right = f"select {of_time} as day, count(*) as orders from raw.events where event_ts is not null group by 1"
        wrong = f"select d.day from ({right}) as d left join marts.{name} as m on m.{column} = d.day"
        assert shop.sql(f"{wrong} where m.orders is distinct from d.orders") == [], name


def test_a_lookback_of_integers_is_one(shop: Shop, tmp_path: Path) -> None:
    """A span says nothing of integers that are no dates: it is refused, and not taken for none."""
    shop.project = own_project(shop.dbt, tmp_path)
    (shop.project / "models" / "win_ids.sql").write_text(
        "{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='event_id') }}\n"
        "select event_id, amount from {{ ref('stg_events') }} where {{ backfill_safety.window('event_id', lookback='3 days') }}"
    )
    assert shop.run("run", "--select", "win_ids").status == 0
    ended = shop.run("run", "--select", "win_ids")
    assert ended.status == 1
    assert "lookback '3 days' is not an integer" in ended.printed


def test_is_backfill_only_in_a_backfill(shop: Shop) -> None:
    """The replaced days say so, and no other."""
    ended = shop.backfill("fct_is_backfill", **WINDOW)
    assert ended.status == 0, ended.printed
    written = "select distinct written_by from marts.fct_is_backfill where "
    assert shop.sql(written + MARCH) == [("backfill",)]
    assert shop.sql(written + f"({MARCH}) is not true") == [("first",)]


MANY = """
    truncate raw.events;
    insert into raw.events
    select
        i, i % 37, 1 + i % 5, timestamp '2024-01-01' + 78 * i * interval '1 second', timestamp '2024-01-01' + 78 * i * interval '1 second',
        i % 100, 'DE'
    from generate_series(0, 399999) as t(i)
"""
# What a bound on the parent's column is found by; DuckDB keeps the least and the greatest value of every row group by itself.
INDEX = {"duckdb": "", "postgres": "; create index on raw.events (event_ts); analyze raw.events"}
ROW_GROUP = 122_880


def test_a_unit_reads_only_its_own_rows(shop: Shop, warehouse: str) -> None:
    """Where the parents are bounded, the scan gives the unit's rows and does not look at those of most other days."""
    shop.sql(MANY + INDEX[warehouse])
    plan = shop.plan("fct_chained", inputs={"stg_events": "event_ts"}, **WINDOW)
    day = "event_ts >= timestamp '2024-03-01' and event_ts < timestamp '2024-03-02'"
    of_the_day = shop.value(f"select count(*) from raw.events where {day}")
    found = shop.scans(plan["summary"]["sql"])
    assert found
    for given, looked_at in found:
        assert given <= of_the_day
        assert looked_at <= 2 * ROW_GROUP


@pytest.fixture
def hooked(shop: Shop) -> Shop:
    """A shop with the model whose hooks create and fill a table of progress."""
    assert shop.run("run", "--select", "fct_hooked").status == 0
    return shop


def test_hooks_are_listed_and_not_run(hooked: Shop) -> None:
    """By default; the progress that the live job keeps is where it was."""
    before = hooked.value("select count(*) from raw.progress")
    ended = hooked.backfill("fct_hooked", **WINDOW)
    assert ended.status == 0, ended.printed
    assert "not run   pre-hook: create table if not exists raw.progress" in ended.printed
    assert "not run   post-hook: insert into raw.progress" in ended.printed
    assert hooked.value("select count(*) from raw.progress") == before


def test_hooks_run_when_asked_for_unless_they_write_state(hooked: Shop) -> None:
    """The pre-hook makes its table; the post-hook writes progress and is refused."""
    hooked.sql("drop table raw.progress")
    ended = hooked.backfill("fct_hooked", hooks="pre", **WINDOW)
    assert ended.status == 0, ended.printed
    assert hooked.value("select count(*) from raw.progress") == 0
    for hooks in ("post", "all"):
        ended = hooked.backfill("fct_hooked", hooks=hooks, **WINDOW)
        assert ended.status == 1
        assert ended.error.startswith(
            "RESTRUCTURE FIRST: nothing was written; BF402: the post-hook of fct_hooked writes a progress value"
        )
    assert hooked.value("select count(*) from raw.progress") == 0
