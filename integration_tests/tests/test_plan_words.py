"""P7: the plan says what narrows a window, what it skips and as whom it writes."""

from __future__ import annotations

import json
from typing import Any

from shop import Shop

WAREHOUSES = ["duckdb", "postgres"]

WINDOW: dict[str, Any] = {"start": "2024-03-01", "end": "2024-03-05", "column": "order_date"}


def test_where_skips_and_role(shop: Shop) -> None:
    """By a window of days and by a list."""
    printed = shop.backfill(
        "fct_daily", dry_run=True, where={"country": ["DE"]}, skip_units=["2024-03-02"], **WINDOW
    ).printed
    assert "narrowed by where: \"country\" in ('DE')" in printed
    assert "skips     1 day that skip_units names: 2024-03-02" in printed
    assert (", as " in printed.splitlines()[0]) == ("postgres" in printed.splitlines()[0])
    printed = shop.backfill(
        "fct_lists", dry_run=True, where={"tenant": 2}, column="country", values=["DE", "CH"]
    ).printed
    assert 'narrowed by where: "tenant" in (2)' in printed


def test_what_is_accepted_on_a_resume_is_recorded(shop: Shop) -> None:
    """Beside what was accepted before."""
    arguments = {**WINDOW, "run_id": "begun"}
    shop.backfill("fct_daily", limits={"minutes": 0.0001}, accept={"BF304": "alone"}, **arguments)
    ended = shop.backfill("fct_daily", accept={"BF211": "they were looked at"}, **arguments)
    assert ended.status == 0, ended.printed
    accepted = json.loads(shop.value("select accepted from marts.backfill_safety_runs"))
    assert accepted == {"BF304": "alone", "BF211": "they were looked at"}


def test_what_is_accepted_without_need_is_said(shop: Shop) -> None:
    """Not of what is accepted and blocks, nor of BF211, which the run alone can meet."""
    given = {
        **WINDOW,
        "limits": {"units": 3},
        "accept": {"BF505": "few", "BF404": "none is", "BF211": "seen"},
    }
    printed = shop.backfill("fct_daily", dry_run=True, **given).printed
    assert "accepts   BF404 without need: it blocks nothing in this plan" in printed
    assert printed.count("without need") == 1
    assert shop.plan("fct_daily", **given)["summary"]["needless_accepts"] == ["BF404"]


def test_an_accepted_finding_keeps_its_severity(shop: Shop) -> None:
    """As JSON it is a block finding with its alternative, and the reason beside them; people read that it is accepted."""
    given = {**WINDOW, "limits": {"units": 3}, "accept": {"BF505": "four are few"}}
    plan = shop.plan("fct_daily", **given)
    assert plan["verdict"] == "SAFE TO RUN"
    assert plan["reason"] == "4 bounded days, replaced one by one; accepted: BF505."
    [finding] = [finding for finding in plan["findings"] if "accepted" in finding]
    assert (finding["code"], finding["severity"], finding["accepted"]) == ("BF505", "block", "four are few")
    assert finding["alternative"] == "run a part of the window, or write limits: {units: 4}"
    assert {finding["severity"] for finding in plan["findings"]} <= {"block", "warn", "info"}
    printed = shop.backfill("fct_daily", dry_run=True, **given).printed
    assert (
        "| 1 | ⚪ Accepted | Cost | BF505: the window has 4 units and the limit is 3 | accepted: four are few |"
        in printed
    )
