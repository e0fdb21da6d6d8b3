"""Declared inputs are proved however the rows are read and whichever form of the model gives them, and only what is wrong is found."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from shop import Shop

WAREHOUSES = ["duckdb", "postgres"]

DAYS: dict[str, Any] = {"start": "2024-03-01", "end": "2024-03-05", "column": "event_ts"}
NARROW: dict[str, Any] = {"raw.events": "event_ts"}
WIDE: dict[str, Any] = {"raw.events": {"column": "event_ts", "lookback": "3 days"}}
WAYS: dict[str, dict[str, Any]] = {
    "per unit": {},
    "read once": {"read": "once"},
    "the live branch": {"branch": "live"},
    "vars per unit": {"vars": {"whatever": "{start}"}},
    "vars per unit, live": {"vars": {"whatever": "{start}"}, "branch": "live"},
}


def cut(plan: dict[str, Any]) -> list[str]:
    """What BF204 says."""
    return [finding["message"] for finding in plan["findings"] if finding["code"] == "BF204"]


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_bounds_that_are_too_narrow(shop: Shop, way: dict[str, Any]) -> None:
    """A sum over three days, read from each day alone: nothing is written, and with a lookback the same call is done."""
    before = shop.checksums()
    ended = shop.backfill("fct_parent_lookback", inputs=NARROW, **DAYS, **way)
    assert ended.status == 1
    assert ended.error.startswith(
        "RESTRUCTURE FIRST: nothing was written; BF204: the bounds of inputs cut 2024-03-01: "
    )
    assert shop.checksums() == before
    plan = shop.plan("fct_parent_lookback", inputs=WIDE, **DAYS, **way)
    assert cut(plan) == []
    assert plan["verdict"] == "SAFE TO RUN"
    proof = plan["summary"]["estimate"]["proof"]
    assert proof > 0
    assert proof > shop.plan("fct_parent_lookback", **DAYS)["summary"]["estimate"]["proof"] == 0


def advised(plan: dict[str, Any]) -> dict[str, Any]:
    """The inputs that BF204 says to write instead."""
    [advice] = [finding["alternative"] for finding in plan["findings"] if finding["code"] == "BF204"]
    text = advice.removeprefix("widen them (inputs: ").partition("), or leave inputs out")[0]
    inputs: dict[str, Any] = yaml.safe_load(text)
    return inputs


def test_the_advice_can_be_followed(shop: Shop) -> None:
    """What is written instead is enough, or twice as far as before; and so it is for ranges of integers."""
    plan = shop.plan("fct_parent_lookback", inputs=NARROW, **DAYS)
    wider = {"column": "event_ts", "lookback": "3 days", "lookahead": "3 days"}
    assert advised(plan) == {"raw.events": wider}
    assert cut(shop.plan("fct_parent_lookback", inputs=advised(plan), **DAYS)) == []

    short = {"raw.events": {"column": "event_ts", "lookback": "12 hours", "lookahead": "45 minutes"}}
    plan = shop.plan("fct_parent_lookback", inputs=short, **DAYS)
    wider = {"column": "event_ts", "lookback": "1 days", "lookahead": "90 minutes"}
    assert advised(plan) == {"raw.events": wider}
    for _ in range(3):
        plan = shop.plan("fct_parent_lookback", inputs=advised(plan), **DAYS)
    assert cut(plan) == []

    shop.sql("update raw.events set customer_id = event_id - 150")
    ranges = {"column": "event_id", "grain": 100, "start": 500, "end": 700}
    plan = shop.plan("fct_ranges", inputs={"stg_events": "customer_id"}, **ranges)
    assert advised(plan) == {"stg_events": {"column": "customer_id", "lookback": 100, "lookahead": 100}}
    plan = shop.plan("fct_ranges", inputs=advised(plan), **ranges)
    assert advised(plan) == {"stg_events": {"column": "customer_id", "lookback": 200, "lookahead": 200}}
    assert cut(shop.plan("fct_ranges", inputs=advised(plan), **ranges)) == []


def test_what_is_read_once_is_read_with_its_own_bounds(shop: Shop) -> None:
    """A year that is read at once needs no lookback within it; each month alone would."""
    year = {**DAYS, "start": "2024-01-01", "end": "2025-01-01", "grain": "month", "inputs": NARROW}
    assert cut(shop.plan("fct_parent_lookback", read="once", **year)) == []
    assert cut(shop.plan("fct_parent_lookback", read="per_unit", **year))


def test_a_model_that_bounds_itself_too(shop: Shop) -> None:
    """What it asks the package for stays in the comparison, else every unit but the first would seem to be cut."""
    days = {**DAYS, "column": "order_date"}
    for read in ("per_unit", "once"):
        assert cut(shop.plan("fct_window", inputs={"stg_events": "event_ts"}, read=read, **days)) == []
    for inputs, found in (("event_ts", False), ("loaded_at", True)):
        assert bool(cut(shop.plan("fct_window", inputs={"stg_events": inputs}, **days))) == found


@pytest.mark.parametrize(("column", "found"), [("event_ts", False), ("loaded_at", True)])
def test_a_live_run_that_reads_its_own_rows(shop: Shop, column: str, found: bool) -> None:
    """Its first unit tells; what the later ones give hangs on what is committed before them."""
    shop.sql("update raw.events set loaded_at = loaded_at + interval '40 days' where event_id % 3 = 0")
    plan = shop.plan(
        "fct_running", branch="live", inputs={"stg_events": column}, **{**DAYS, "column": "order_date"}
    )
    assert bool(cut(plan)) == found
    assert all("2024-03-01" in message for message in cut(plan))


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_units_that_are_skipped_are_not_looked_at(shop: Shop, way: dict[str, Any]) -> None:
    """First and last day of three are skipped: the one between is proved."""
    days = {**DAYS, "end": "2024-03-04", "skip_units": ["2024-03-01", "2024-03-03"]}
    (message,) = cut(shop.plan("fct_parent_lookback", inputs=NARROW, **days, **way))
    assert message.startswith("the bounds of inputs cut 2024-03-02: ")
    assert cut(shop.plan("fct_parent_lookback", inputs=WIDE, **days, **way)) == []


def test_the_fullest_unit_of_those_that_are_done(shop: Shop) -> None:
    """The fullest day is skipped, so the next one is looked at, and its rows that are read too narrowly are found."""
    shop.sql("""
        update raw.events set loaded_at = event_ts;
        update raw.events set loaded_at = event_ts + interval '3 days'
        where event_ts >= timestamp '2024-03-03' and event_ts < timestamp '2024-03-04';
        insert into marts.fct_merge select event_id + 10000, customer_id, event_ts, amount, country from marts.fct_merge
        where event_ts >= timestamp '2024-03-02' and event_ts < timestamp '2024-03-04';
        insert into marts.fct_merge select event_id + 20000, customer_id, event_ts, amount, country from marts.fct_merge
        where event_ts >= timestamp '2024-03-02' and event_ts < timestamp '2024-03-03'
    """)
    days = {**DAYS, "end": "2024-03-06", "inputs": {"stg_events": "loaded_at"}}
    assert cut(shop.plan("fct_merge", **days)) == []
    (message,) = cut(shop.plan("fct_merge", skip_units=["2024-03-02"], **days))
    assert message.startswith("the bounds of inputs cut 2024-03-03: ")


def test_a_column_that_differs_each_time(shop: Shop) -> None:
    """Declared volatile, it is left out of the comparison; the other columns are not."""
    assert cut(shop.plan("fct_drawn", inputs={"stg_events": "event_ts"}, **DAYS)) == []
    assert cut(shop.plan("fct_drawn", inputs={"stg_events": "loaded_at"}, **DAYS)) != []
