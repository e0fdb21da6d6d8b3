"""P4: the live cursor stays, and no unit carries it past rows that the live run has not read."""

from __future__ import annotations

import pytest
from shop import Shop

WAREHOUSES = ["duckdb", "postgres"]

NEW_ROWS = """
    insert into raw.events
    select
        {first} + i, 1, 1,
        timestamp '{at}' + i * interval '1 minute', timestamp '{loaded}' + i * interval '1 minute', 9, 'DE'
    from generate_series(0, 2) as t(i)
"""


def add_rows(shop: Shop, first: int, at: str, loaded: str) -> None:
    """Three rows that the live run has not read yet."""
    shop.sql(NEW_ROWS.format(first=first, at=at, loaded=loaded))


@pytest.mark.parametrize("read", ["per_unit", "once"])
def test_the_newest_partition_is_deferred(shop: Shop, read: str) -> None:
    """Rows newer than the cursor in the newest day: that day is left alone, the others go on; after a live run it is done."""
    add_rows(shop, 7000, "2024-12-29 23:10:00", "2024-12-29 23:10:00")
    before = shop.copy(shop.folder.parent / "before")
    arguments = {"start": "2024-12-27", "end": "2024-12-30", "column": "event_ts", "read": read}
    shop.sql(
        "update marts.fct_merge set amount = 0 where event_ts >= timestamp '2024-12-27' and event_ts < timestamp '2024-12-29'"
    )
    cursor = "select max(event_ts) from marts.fct_merge"

    ended = shop.backfill("fct_merge", **arguments)

    assert ended.status == 1
    assert "1 deferred (2024-12-29) until the live run has caught up" in ended.error
    assert shop.units() == {"2024-12-27": "done", "2024-12-28": "done", "2024-12-29": "deferred"}
    assert shop.value(cursor) == before.value(cursor)
    assert shop.differing_rows(before, "marts.fct_merge") == 0

    assert shop.run("run", "--select", "fct_merge").status == 0
    assert shop.value("select count(*) from marts.fct_merge where event_id >= 7000 and event_id < 7003") == 3
    ended = shop.backfill("fct_merge", **arguments)
    assert ended.status == 0, ended.printed
    assert shop.runs() == [("done", ["done"] * 3)]
    assert shop.value("select count(*) from marts.fct_merge where event_id >= 7000 and event_id < 7003") == 3


def test_a_load_time_cursor(shop: Shop) -> None:
    """Late rows of an old day, loaded after the cursor: that day is deferred, and the live run then still finds them."""
    add_rows(shop, 7000, "2024-03-02 10:00:00", "2025-02-01 00:00:00")
    before = shop.copy(shop.folder.parent / "before")
    day = "order_date = date '2024-03-02'"
    ended = shop.backfill("fct_loaded", start="2024-03-01", end="2024-03-04", column="order_date")
    assert ended.status == 1
    assert shop.units()["2024-03-02"] == "deferred"
    assert list(shop.units().values()).count("done") == 2
    assert shop.differing_rows(before, "marts.fct_loaded", day) == 0
    assert shop.value("select max(loaded_at) from marts.fct_loaded") == before.value(
        "select max(loaded_at) from marts.fct_loaded"
    )
    assert shop.run("run", "--select", "fct_loaded").status == 0
    assert shop.value("select count(*) from marts.fct_loaded where event_id between 7000 and 7002") == 3
    ended = shop.backfill("fct_loaded", start="2024-03-01", end="2024-03-04", column="order_date")
    assert ended.status == 0, ended.printed


def test_an_empty_cursor(shop: Shop) -> None:
    """Whatever is written first becomes the cursor: the live run would never read what lies before it."""
    days = {"start": "2024-03-01", "end": "2024-03-04", "column": "order_date"}
    shop.sql("delete from marts.fct_loaded")
    before = shop.checksums()
    ended = shop.backfill("fct_loaded", **days)
    assert ended.status == 1
    assert ended.error.startswith(
        "RESTRUCTURE FIRST: nothing was written; BF404: the cursor loaded_at is empty, and "
    )
    assert shop.checksums() == before
    copy = shop.copy(shop.folder.parent / "accepted")
    ended = copy.backfill("fct_loaded", accept={"BF404": "older rows are not wanted"}, **days)
    assert ended.status == 0, ended.printed
    ended = shop.backfill("fct_loaded", **{**days, "start": "2024-01-01"})
    assert ended.status == 0, ended.printed


def test_joined_units_are_deferred_one_by_one(shop: Shop) -> None:
    """A commit of several days in which one holds newer rows is split."""
    add_rows(shop, 7000, "2024-03-03 10:00:00", "2025-02-01 00:00:00")
    ended = shop.backfill(
        "fct_loaded", start="2024-03-01", end="2024-03-06", column="order_date", units_per_commit=5
    )
    assert ended.status == 1
    assert list(shop.units().values()) == ["done", "done", "deferred", "done", "done"]


def test_every_unit_past_the_cursor(shop: Shop) -> None:
    """Nothing could be written: blocked before anything is."""
    add_rows(shop, 7000, "2024-12-29 23:10:00", "2024-12-29 23:10:00")
    before = shop.checksums()
    ended = shop.backfill("fct_merge", start="2024-12-29", end="2024-12-30", column="event_ts")
    assert ended.status == 1
    assert ended.error.startswith(
        "RESTRUCTURE FIRST: nothing was written; BF404: 2024-12-29 would hold rows newer than the cursor"
    )
    assert shop.checksums() == before


def test_the_first_and_the_last_unit_past_the_cursor(shop: Shop) -> None:
    """Told before, and the days between are done."""
    add_rows(shop, 7000, "2024-03-01 10:00:00", "2025-02-01 00:00:00")
    add_rows(shop, 7010, "2024-03-04 10:00:00", "2025-02-01 00:00:00")
    arguments = {"start": "2024-03-01", "end": "2024-03-05", "column": "order_date"}
    ended = shop.backfill("fct_loaded", inputs={"stg_events": "event_ts"}, **arguments)
    assert ended.status == 1
    assert "BF404: 2024-03-01, 2024-03-04 would hold rows newer than the cursor" in ended.printed
    assert list(shop.units().values()) == ["deferred", "done", "done", "deferred"]


def test_a_cursor_that_falls(shop: Shop) -> None:
    """The newest row is gone from the source: what the cursor was and what it is."""
    newest = shop.value("select event_id from raw.events order by event_ts desc nulls last limit 1")
    was = shop.value("select max(event_ts) from marts.fct_merge")
    shop.sql(f"delete from raw.events where event_id = {newest}")
    ended = shop.backfill(
        "fct_merge", start="2024-12-27", end="2024-12-30", column="event_ts", expect={"max_shrink": 0.5}
    )
    assert ended.status == 0, ended.printed
    assert "cursor unchanged" not in ended.printed
    now = shop.value("select max(event_ts) from marts.fct_merge")
    assert now < was
    assert f"cursor    max(event_ts) was {was} and is {now}; the live run goes on from there" in ended.printed


def test_a_stamped_cursor(shop: Shop) -> None:
    """Every rewritten row would carry the cursor to now: blocked."""
    before = shop.checksums()
    ended = shop.backfill("fct_stamped", start="2024-03-01", end="2024-03-03", column="order_date")
    assert ended.status == 1
    assert ended.error.startswith(
        "BLOCK: nothing was written; BF401: the watermark updated_at is stamped with the current time"
    )
    assert shop.checksums() == before


def test_a_derived_cursor_stays(shop: Shop) -> None:
    """max() of a day, and of a column that the model imports from the package, are where they were."""
    for model, column in (
        ("fct_daily", "order_date"),
        ("fct_window", "order_date"),
        ("fct_watermark", "event_ts"),
    ):
        plan = shop.plan(model, start="2024-12-01", end="2024-12-03", column=column)
        assert [mark["column"] for mark in plan["summary"]["cursor"]] == [column]
        before = shop.value(f"select max({column}) from marts.{model}")
        ended = shop.backfill(
            model, start="2024-12-01", end="2024-12-30", grain="day", units_per_commit=29, column=column
        )
        assert ended.status == 0, ended.printed
        assert shop.value(f"select max({column}) from marts.{model}") == before


@pytest.mark.parametrize("read", ["per_unit", "once"])
def test_rows_that_came_before_the_second_try(shop: Shop, read: str) -> None:
    """A live run reads rows of the deferred day that were not there at the first try: the resumed run keeps them."""
    add_rows(shop, 7000, "2024-12-29 23:10:00", "2024-12-29 23:10:00")
    arguments = {
        "start": "2024-12-27",
        "end": "2024-12-30",
        "column": "event_ts",
        "read": read,
        "expect": {"max_shrink": 0.5},
    }
    assert shop.backfill("fct_merge", **arguments).status == 1
    add_rows(shop, 7100, "2024-12-29 23:40:00", "2024-12-29 23:40:00")
    assert shop.run("run", "--select", "fct_merge").status == 0
    ended = shop.backfill("fct_merge", **arguments)
    assert ended.status == 0, ended.printed
    assert shop.value("select count(*) from marts.fct_merge where event_id between 7000 and 7102") == 6
