"""P6: a unit that had rows and would lose them is not written, and the run stops."""

from __future__ import annotations

import json
from typing import Any

import pytest
from shop import Shop

WAREHOUSES = ["duckdb", "postgres"]

WINDOW: dict[str, Any] = {"start": "2024-03-01", "end": "2024-03-06", "column": "event_ts"}
THIRD = "event_ts >= timestamp '2024-03-03' and event_ts < timestamp '2024-03-04'"


@pytest.mark.parametrize("joined", [1, 5])
@pytest.mark.parametrize("model", ["fct_merge", "fct_append"])
def test_an_expired_source(shop: Shop, model: str, joined: int) -> None:
    """The source lost a day: units before it are done, it is as it was, and the run stops there."""
    shop.sql(f"delete from raw.events where {THIRD}")
    before = shop.copy(shop.folder.parent / "before")
    ended = shop.backfill(model, units_per_commit=joined, **WINDOW)
    assert ended.status == 1
    assert "2024-03-03 would become empty" in ended.error
    assert "write expect: {allow_empty: true}" in ended.error
    assert list(shop.units().values())[:3] == ["done", "done", "failed"]
    assert "done" not in list(shop.units().values())[3:]
    assert shop.differing_rows(before, f"marts.{model}", THIRD) == 0
    if model == "fct_merge":
        ended = shop.backfill(model, expect={"allow_empty": True}, run_id="meant", **WINDOW)
        assert ended.status == 0, ended.printed
        assert shop.value(f"select count(*) from marts.{model} where {THIRD}") == 0


def test_an_expired_source_is_seen_in_the_plan(shop: Shop) -> None:
    """Where units are computed for the plan, the empty one is found before anything is written."""
    shop.sql(f"delete from raw.events where {THIRD}")
    before = shop.checksums()
    ended = shop.backfill(
        "fct_merge",
        start="2024-03-03",
        end="2024-03-05",
        column="event_ts",
        inputs={"stg_events": "event_ts"},
    )
    assert ended.status == 1
    assert ended.error.startswith("BLOCK: nothing was written; BF603: 2024-03-03 has ")
    assert shop.checksums() == before


@pytest.mark.parametrize("joined", [1, 5])
def test_a_shrunk_source(shop: Shop, joined: int) -> None:
    """A third of one day's keys are gone: 5 % of the window's, but judged by the day."""
    shop.sql(f"delete from raw.events where {THIRD} and event_id % 3 = 0")
    before = shop.copy(shop.folder.parent / "before")
    lost = before.value(f"select count(*) from marts.fct_merge where {THIRD} and event_id % 3 = 0")
    held = before.value(f"select count(*) from marts.fct_merge where {THIRD}")
    assert (
        0
        < lost
        < 0.1
        * before.value(
            "select count(*) from marts.fct_merge where event_ts >= timestamp '2024-03-01' and event_ts < timestamp '2024-03-06'"
        )
    )
    ended = shop.backfill("fct_merge", units_per_commit=joined, **WINDOW)
    assert ended.status == 1
    assert f"2024-03-03 would lose {lost} of {held} keys and the limit is 5.0 %" in ended.error
    assert list(shop.units().values())[:3] == ["done", "done", "failed"]
    assert shop.differing_rows(before, "marts.fct_merge", THIRD) == 0

    ended = shop.backfill("fct_merge", expect={"max_shrink": 0.5}, run_id="meant", **WINDOW)
    assert ended.status == 0, ended.printed
    assert shop.value(f"select count(*) from marts.fct_merge where {THIRD} and event_id % 3 = 0") == 0


def test_distinct_rows_where_there_is_no_key(shop: Shop) -> None:
    """Without a key distinct rows are counted: gone duplicates are no loss, gone rows are."""
    shop.sql(f"""
        insert into marts.fct_append select * from marts.fct_append where {THIRD};
        insert into marts.fct_append select * from marts.fct_append where {THIRD};
        delete from raw.events where {THIRD} and event_id % 3 = 0
    """)
    ended = shop.backfill("fct_append", **WINDOW)
    assert ended.status == 1
    assert "distinct rows and the limit is 5.0 %" in ended.error


def test_replaced_keys_are_a_loss(shop: Shop) -> None:
    """As many rows as before, under other keys: the old keys are lost all the same."""
    shop.sql(f"update raw.events set event_id = event_id + 50000 where {THIRD}")
    ended = shop.backfill("fct_merge", **WINDOW)
    assert ended.status == 1
    assert "2024-03-03 would lose" in ended.error


def test_keep_missing(shop: Shop, refreshed: Shop) -> None:
    """Rows that only the target still has are kept beside the new ones."""
    before = shop.copy(shop.folder.parent / "before")
    shop.sql(f"delete from raw.events where {THIRD} and event_id % 2 = 0")
    ended = shop.backfill("fct_merge", expect={"keep_missing": True}, **WINDOW)
    assert ended.status == 0, ended.printed
    assert (
        shop.differing_rows(before, "marts.fct_merge", f"{THIRD} and event_id % 2 = 0 and event_id < 5000")
        == 0
    )
    assert shop.differing_rows(refreshed, "marts.fct_merge", f"{THIRD} and event_id % 2 = 1") == 0


REDATED = "(select min(event_id) from marts.fct_merge where event_ts >= timestamp '2024-05-10')"


@pytest.mark.parametrize("read", ["once", "per_unit"])
def test_a_key_that_moved_into_the_window(shop: Shop, read: str) -> None:
    """The row stands at its old date outside of the window: it would stand twice, and the run does not count as done."""
    shop.sql(f"update raw.events set event_ts = timestamp '2024-03-03 01:02:03' where event_id = {REDATED}")
    before = shop.copy(shop.folder.parent / "before")
    ended = shop.backfill("fct_merge", read=read, **WINDOW)
    assert ended.status == 1
    assert "BF211: 1 " in ended.error
    assert shop.value("select state from marts.backfill_safety_runs") == "failed"
    if read == "once":
        assert shop.differing_rows(before, "marts.fct_merge") == 0
    assert "resume" not in ended.printed
    again = shop.backfill("fct_merge", read=read, run_id="again", **WINDOW)
    assert again.status == 1, "it stands twice as before"
    assert "BF211: 1 " in again.error
    wide = shop.backfill(
        "fct_merge", run_id="wide", start="2024-03-01", end="2024-06-01", grain="month", column="event_ts"
    )
    assert wide.status == 0, wide.printed
    assert (
        shop.value(
            "select count(*) - count(distinct event_id) from marts.fct_merge where event_id is not null"
        )
        == 0
    )


def test_a_key_that_moved_into_a_skipped_unit(shop: Shop) -> None:
    """The unit is not written, so the row stands once."""
    shop.sql(f"update raw.events set event_ts = timestamp '2024-03-03 01:02:03' where event_id = {REDATED}")
    ended = shop.backfill("fct_merge", read="once", skip_units=["2024-03-03"], **WINDOW)
    assert ended.status == 0, ended.printed


@pytest.mark.parametrize(("time", "status"), [("2024-03-03 01:02:03", 0), ("2024-03-04 01:02:03", 1)])
def test_a_key_twice(shop: Shop, time: str, status: int) -> None:
    """Within one unit it stands in one unit; in two units the run does not count as done."""
    row = "7000, 1, 1, timestamp '{}', timestamp '2024-03-05', 9, 'DE'"
    first, second = row.format("2024-03-03 23:00:00"), row.format(time)
    shop.sql(f"insert into raw.events values ({first}), ({second})")
    ended = shop.backfill("fct_merge", **WINDOW)
    assert ended.status == status, ended.printed
    assert ("BF211: 1 " in ended.error) is bool(status)


# A day of New York begins at 05:00 of UTC; 2024-03-04 is a Monday.
UNITS: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "a day of a zone": ("fct_merge", {"timezone": "America/New_York"}, "04 03:00:00", "04 06:00:00"),
    "a column with a zone": ("fct_zoned", {"column": "seen_at"}, "03 01:00:00", "04 01:00:00"),
    "a day of a zone, with a zone": (
        "fct_zoned",
        {"column": "seen_at", "timezone": "America/New_York"},
        "04 03:00:00",
        "04 06:00:00",
    ),
    "a week": (
        "fct_merge",
        {"start": "2024-02-26", "end": "2024-03-11", "grain": "week"},
        "03 01:00:00",
        "04 01:00:00",
    ),
}


@pytest.mark.parametrize(("model", "more", "same", "next_one"), UNITS.values(), ids=UNITS)
def test_a_key_twice_within_a_unit_that_is_no_day_of_utc(
    shop: Shop, model: str, more: dict[str, Any], same: str, next_one: str
) -> None:
    """It is the window's own units that count: a key twice in one of them is no alarm, in two of them it is."""
    row = "7000, 1, 1, timestamp '2024-03-{}', timestamp '2024-03-05', 9, 'DE'"
    shop.sql(f"insert into raw.events values ({row.format('03 23:00:00')}), ({row.format(same)})")
    ended = shop.backfill(model, **{**WINDOW, **more})
    assert ended.status == 0, ended.printed
    shop.sql(f"insert into raw.events values ({row.format(next_one)})")
    ended = shop.backfill(model, run_id="anew", **{**WINDOW, **more})
    assert ended.status == 1, ended.printed
    assert "BF211: 1 " in ended.error


@pytest.mark.parametrize("read", ["once", "per_unit"])
def test_rows_without_a_key(shop: Shop, read: str) -> None:
    """A key that is NULL is no row's own: that several days hold such rows is no row in two of them."""
    shop.sql("update raw.events set event_id = null where event_id % 10 = 0")
    ended = shop.backfill("fct_merge", read=read, expect={"max_shrink": 0.3}, **WINDOW)
    assert ended.status == 0, ended.printed
    assert shop.value(f"select count(*) from marts.fct_merge where {THIRD} and event_id is null") > 0


def test_a_key_that_moved_between_two_units(shop: Shop) -> None:
    """Inside the window it is found in its new unit and gone from the old one, whichever comes first."""
    shop.sql("""
        update raw.events set event_ts = timestamp '2024-03-05 01:02:03'
        where event_id = (select min(event_id) from marts.fct_merge where event_ts >= timestamp '2024-03-01')
    """)
    for order in ("ascending", "descending"):
        ended = shop.backfill("fct_merge", run_id=order, order=order, expect={"max_shrink": 0.2}, **WINDOW)
        assert ended.status == 0, ended.printed
        assert (
            shop.value(
                "select count(*) - count(distinct event_id) from marts.fct_merge where event_id is not null"
            )
            == 0
        )


@pytest.mark.parametrize(
    ("expect", "broken"),
    [
        ({"unique": ["country"]}, "unique country"),
        ({"not_null": ["amount"]}, "not_null amount"),
        ({"sql": "select * from {target} where {unit} and amount is null"}, "sql"),
    ],
)
def test_expectations(shop: Shop, expect: dict[str, Any], broken: str) -> None:
    """An expectation that a unit breaks stops the run before that unit is committed."""
    shop.sql(f"update raw.events set amount = null where {THIRD}")
    before = shop.copy(shop.folder.parent / "before")
    ended = shop.backfill("fct_merge", expect=expect, **WINDOW)
    assert ended.status == 1
    assert f"expect: {broken}" in ended.error
    assert shop.differing_rows(before, "marts.fct_merge", THIRD) == 0


def test_keys_that_are_called_as_our_own_columns_are(shop: Shop) -> None:
    """How many keys there were, are and are gone is counted under names that no model has."""
    keys = ["unit_no", "fact", "n"]
    marks = {"unit": "0", "predicate": "fact < 9"}
    shop.sql("""
        create schema if not exists marts;
        create table marts.old_rows as select 1 as unit_no, 2 as fact, 3 as n union all select 4, 5, 6;
        create table marts.new_rows as select 1 as unit_no, 2 as fact, 3 as n
    """)
    call = {
        "macro": "_key_facts_sql",
        "arguments": [{"request": {"key_columns": keys}}, "marts.old_rows", "marts.new_rows", marks],
    }
    ended = shop.operation("call_macros", calls=[call])
    assert ended.status == 0, ended.printed
    [sql] = json.loads(ended.printed.strip().splitlines()[-1])
    assert sorted(shop.sql(sql)) == [("keys_after", 0, 1), ("keys_before", 0, 2), ("lost", 0, 1)]
