"""P1 and P7: what ClickHouse cannot replace unit by unit is refused in one line, before anything is written; what it can needs no grain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from clickhouse_shop import Shop

DAYS: dict[str, Any] = {"start": "2024-03-29", "end": "2024-04-02"}
MONTH = "partitions of `marts`.`fct_month` (toYYYYMM(order_date)) are replaced whole, and "
NESTED = "partitions of `marts`.`fct_nested` (toDate(event_ts), country) are replaced whole"

REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "days in months": (
        "fct_month",
        {**DAYS, "grain": "day"},
        f"{MONTH}a day would cut one; write grain: month, start: 2024-03-01, end: 2024-05-01",
    ),
    "weeks in months": (
        "fct_month",
        {"start": "2024-03-25", "end": "2024-04-01", "grain": "week"},
        f"{MONTH}a week would cut one; write grain: month, start: 2024-03-01, end: 2024-04-01",
    ),
    "a window off the months": (
        "fct_month",
        DAYS,
        "the window 2024-03-29 to 2024-04-02 cuts a month; write start: 2024-03-01, end: 2024-05-01",
    ),
    "values of months": (
        "fct_month",
        {"values": ["2024-03-29"]},
        f"{MONTH}values would cut them; write start and end",
    ),
    "another column": (
        "fct_month",
        {"column": "event_ts", **DAYS},
        f"{MONTH}units of event_ts would cut them; write column: order_date",
    ),
    "ranges in ranges": (
        "fct_range",
        {"start": 50, "end": 60, "grain": 10},
        "partitions of `marts`.`fct_range` (intDiv(event_id, 20)) are replaced whole, and a range of 10 would cut one; "
        "write grain: 20, start: 40, end: 60",
    ),
    "days elsewhere": (
        "fct_nested",
        {**DAYS, "column": "event_ts", "timezone": "Europe/Berlin"},
        f"{NESTED} and begin by the clock of UTC, not of Europe/Berlin; write timezone: UTC",
    ),
    "a part of a partition": (
        "fct_month",
        {"start": "2024-03-01", "end": "2024-04-01", "where": {"event_id": 7}},
        "where: event_id cuts the partitions of `marts`.`fct_month` (toYYYYMM(order_date)), which are replaced whole",
    ),
    "no partitions": (
        "fct_whole",
        {**DAYS, "column": "order_date"},
        "`marts`.`fct_whole` has no partitions, and they are what is replaced; set partition_by: toYYYYMM(order_date)",
    ),
    "rows that merge away": (
        "fct_replacing",
        {"start": 0, "end": 20},
        "`marts`.`fct_replacing` is a ReplacingMergeTree; only MergeTree tables are replaced here",
    ),
    "no backup": ("fct_day", {**DAYS, "backup": False}, "backup: false is not available on clickhouse"),
    "kept rows": (
        "fct_month",
        {"start": "2024-03-01", "end": "2024-04-01", "expect": {"keep_missing": True}},
        "expect: keep_missing is not available on clickhouse",
    ),
    "a worker": ("fct_day", {**DAYS, "run_id": "shared", "worker": "one"}, "worker "),
    "another way": (
        "fct_day",
        {**DAYS, "replace_by": "delete+insert"},
        "replace_by must be one of replace_partition",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(shop: Shop, name: str) -> None:
    """One line with the way out, and no ledger."""
    model, arguments, message = REFUSED[name]
    ended = shop.backfill(model, **arguments)
    assert ended.status == 1
    assert ended.error.startswith(message), ended.printed
    assert (
        shop.sql("select name from system.tables where database = 'marts' and name like 'backfill_safety%'")
        == []
    )


UNDERSTOOD: dict[str, tuple[str, dict[str, Any], str]] = {
    # partition key → arguments and the first words of the refusal; none where it runs
    "toStartOfMonth(ts)": ("month", {}, ""),
    "toStartOfInterval(ts, toIntervalWeek(1))": ("week", {}, ""),
    "dateTrunc('quarter', ts)": ("quarter", {}, ""),
    "toYear(ts)": ("year", {}, ""),
    "CAST(ts, 'Date')": ("day", {}, ""),
    "toDate(ts, 'Europe/Berlin')": ("day", {"timezone": "Europe/Berlin"}, ""),
    "(toYYYYMM(ts), `od``d`)": ("month", {}, ""),
    "ts": ("day", {}, ""),
    "toISOWeek(ts)": (
        "day",
        {},
        "partitions of `marts`.`fct_keys` (toISOWeek(ts)) are replaced whole, and that key is not",
    ),
    "toStartOfWeek(ts)": (
        "week",
        {},
        "partitions of `marts`.`fct_keys` (toStartOfWeek(ts)) are replaced whole, and that key",
    ),
}


@pytest.mark.parametrize("key", UNDERSTOOD)
def test_keys(shop: Shop, key: str) -> None:
    """Each key is read from the table, whatever the model says; the plan cuts the window as the table is cut."""
    grain, arguments, message = UNDERSTOOD[key]
    shop.sql("drop table if exists marts.fct_keys")
    shop.sql(
        "create table marts.fct_keys (ts DateTime('UTC'), `od``d` String, amount Int32) engine = MergeTree "
        f"partition by {key} order by amount"
    )
    asked = {
        "column": "ts",
        "start": "2024-01-01",
        "end": "2025-01-01",
        "dry_run": True,
        "format": "json",
        **arguments,
    }
    if grain == "week":
        asked["end"] = "2024-12-30"
    if message:
        asked["grain"] = grain
    ended = shop.backfill("fct_keys", **asked)
    if message:
        assert ended.error.startswith(message), ended.printed
    else:
        assert ended.status == 0, ended.printed
        assert f'"grain": "{grain}"' in ended.printed


def test_a_partition_that_holds_more_than_its_unit(shop: Shop) -> None:
    """Whatever the key was taken to mean, a partition with rows of another unit is not replaced."""
    shop.sql("drop table if exists marts.fct_keys")
    shop.sql(
        "create table marts.fct_keys (ts DateTime('UTC'), `od``d` String, amount Int32) engine = MergeTree "
        "partition by intDiv(amount, 10) order by amount;\n"
        "insert into marts.fct_keys values ('2024-01-01', '', -5), ('2024-01-01', '', 5)"
    )
    before = shop.rows("fct_keys")
    # towards zero: the partition 0 holds -9 to 9
    ended = shop.backfill("fct_keys", column="amount", start=0, end=10, expect={"allow_empty": True})
    assert ended.status == 1
    assert "partition 0 of `marts`.`fct_keys` holds 1 row of other units" in ended.error, ended.printed
    assert shop.rows("fct_keys") == before
