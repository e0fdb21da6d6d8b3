"""The preflight's findings: which, how severe, and with the alternative filled in; and what is no finding."""

from __future__ import annotations

import json
from typing import Any

import pytest
from shop import Shop

WAREHOUSES = ["duckdb", "postgres"]

WINDOW: dict[str, Any] = {"start": "2024-03-01", "end": "2024-03-05", "column": "order_date"}
ROWS: dict[str, Any] = {**WINDOW, "column": "event_ts"}
MONTHS: dict[str, Any] = {"start": "2024-03-01", "end": "2024-05-01", "column": "order_date"}
TODAY: dict[str, Any] = {"start": "2024-03-01", "end": "2024-03-03", "column": "seen_on"}

# (model, arguments, code, severity, in the message, in the alternative)
FOUND: list[tuple[str, dict[str, Any], str, str, str, str]] = [
    ("fct_daily", WINDOW, "BF101", "info", "fct_daily", "full_refresh: false"),
    (
        "fct_unit_vars",
        {**WINDOW, "start": "2023-12-30", "vars": {"end_date": "{end}"}},
        "BF105",
        "block",
        "start_date",
        '{start_date: "{start}"}',
    ),
    (
        "fct_odd_vars",
        {**WINDOW, "vars": {"ds": "{end}"}},
        "BF105",
        "warn",
        "'new_tax'",
        '{new_tax: "{start}"}',
    ),
    (
        "fct_odd_vars",
        {**WINDOW, "vars": {"new_tax": "2024-03-03"}},
        "BF105",
        "block",
        "'ds'",
        '{ds: "{start}"}',
    ),
    (
        "fct_odd_vars",
        {**WINDOW, "start": "2023-12-30", "vars": {"ds": "{end}", "new_tax": "2024-03-03"}},
        "BF105",
        "block",
        "'lower_bound'",
        '{lower_bound: "{start}"}',
    ),
    ("fct_query", WINDOW, "BF110", "warn", "asks the warehouse", ""),
    ("fct_append", ROWS, "BF201", "info", "appends", "replaces whole units"),
    (
        "fct_parent_lookback",
        {**ROWS, "inputs": {"raw.events": "event_ts"}},
        "BF204",
        "block",
        "2024-03-0",
        "lookback: 3 days",
    ),
    ("fct_running", {**WINDOW, "branch": "live"}, "BF209", "warn", "fct_running reads its own", "present"),
    ("fct_bootstrap", ROWS, "BF212", "block", "2024-06-01", "branch: first"),
    ("fct_running", WINDOW, "BF212", "block", "fct_running", "branch: live"),
    ("fct_limited", ROWS, "BF212", "block", "keeps only some rows (limit 4000)", "branch: first"),
    ("fct_of_target", ROWS, "BF212", "block", "hangs on target, and this is target", "branch: first"),
    (
        "fct_batch_month",
        {**MONTHS, "inputs": {}},
        "BF213",
        "block",
        "no parent of fct_batch_month",
        "inputs: {stg_events: event_ts}; for its own runs set event_time: event_ts on stg_events",
    ),
    ("fct_batch_month", MONTHS, "BF503", "info", "customers", "event_time"),
    ("fct_stamped", WINDOW, "BF401", "block", "updated_at", "updated_at"),
    ("fct_daily", {**WINDOW, "limits": {"units": 2}}, "BF505", "block", "4 units", "limits: {units: 4}"),
    ("fct_daily", {**WINDOW, "limits": {"rows": 2}}, "BF505", "block", "4,420 rows", "limits: {rows: 4420}"),
    (
        "fct_daily",
        {**WINDOW, "limits": {"bytes": 2}},
        "BF505",
        "warn",
        "tells no bytes before the run",
        "limits: {rows:",
    ),
    ("fct_state_of_today", TODAY, "BF602", "block", "fct_state_of_today", "keep the stored days"),
    (
        "fct_of_old_source",
        WINDOW,
        "BF603",
        "block",
        "raw.kept_events keeps 400 days",
        "begin the window after",
    ),
    ("fct_new_column", WINDOW, "BF604", "warn", "amount", "window"),
    ("fct_daily", {**WINDOW, "backup": False}, "BF606", "warn", "cannot be undone", "leave backup out"),
    ("fct_merge", ROWS, "BF607", "info", "fct_parent_joined", "same window"),
]


@pytest.mark.parametrize(
    ("model", "arguments", "code", "severity", "message", "alternative"),
    FOUND,
    ids=[f"{row[2]}-{row[0]}" for row in FOUND],
)
def test_finding(
    built: tuple[Shop, Shop],
    tmp_path: Any,
    model: str,
    arguments: dict[str, Any],
    code: str,
    severity: str,
    message: str,
    alternative: str,
) -> None:
    """It is there, once, and the verdict follows from it."""
    shop = built[0].copy(tmp_path / "shop")
    plan = shop.plan(model, **arguments)
    found = [finding for finding in plan["findings"] if finding["code"] == code]
    assert len(found) == 1, plan["findings"]
    assert found[0]["severity"] == severity
    assert found[0]["check"] == int(code[2])
    assert message in found[0]["message"]
    assert alternative in found[0]["alternative"]
    if severity == "block":
        assert plan["verdict"] == ("BLOCK" if code in ("BF401", "BF602", "BF603") else "RESTRUCTURE FIRST")
        assert plan["reason"].startswith(code)


@pytest.mark.parametrize("model", ["tbl_daily", "fct_daily", "fct_chained", "fct_window"])
def test_one_recent_unit_raises_nothing(shop: Shop, model: str) -> None:
    """A small, single-partition reprocess is a plain replace, said in one line."""
    plan = shop.plan(model, start="2024-12-28", end="2024-12-29", column="order_date")
    assert plan["findings"] == []
    assert plan["verdict"] == "SAFE TO RUN"
    assert plan["reason"] == "one unit, replaced in one transaction: a plain idempotent replace."


def test_the_live_branch(shop: Shop) -> None:
    """A model that reads itself is replayed oldest first: spoiled running totals are right again."""
    before = shop.copy(shop.folder.parent / "before")
    shop.sql("update marts.fct_running set total = 0 where order_date >= date '2024-12-20'")
    ended = shop.backfill(
        "fct_running", branch="live", start="2024-12-20", end="2024-12-30", column="order_date"
    )
    assert ended.status == 0, ended.printed
    assert shop.differing_rows(before, "marts.fct_running") == 0


def test_a_bootstrap_slice_on_the_live_branch(shop: Shop) -> None:
    """A first build begins in June, so a form has to be chosen; the live one follows the rows before the window."""
    assert shop.value("select min(event_ts) from marts.fct_bootstrap") >= shop.value(
        "select timestamp '2024-06-01'"
    )
    ended = shop.backfill(
        "fct_bootstrap", branch="live", start="2024-07-01", end="2024-07-03", column="event_ts"
    )
    assert ended.status == 0, ended.printed
    days = "event_ts >= timestamp '2024-07-01' and event_ts < timestamp '2024-07-03'"
    assert (
        shop.value(f"select count(*) from marts.fct_bootstrap where {days}")
        == shop.value(f"select count(*) from raw.events where {days}")
        > 0
    )


FILTERS = [
    ("", "where a > ( select max ( a ) from t )", True),
    ("", "and a > ( select max ( a ) from t )", True),
    ("", "a > ( select max ( a ) from t ) and", True),
    ("true", "a > 1", True),
    ("where 1=1", "where a > 1", True),
    ("where true", "", True),
    ("", "( select max ( total ) from t ) +", False),
    ("", "where a > 1 or b", False),
    ("", "union all select 1", False),
    ("", "limit 10", False),
    ("", "join t on ( a = b )", False),
    ("", ", b", False),
    ("a", "b", False),
    ("limit 10", "", False),
    ("where a > 1", "where a > 2", False),
]


def test_what_only_narrows_a_live_run(shop: Shop) -> None:
    """A watermark filter is no difference of branches; everything else is."""
    calls = [{"macro": "_only_filters", "arguments": [first, live]} for first, live, _ in FILTERS]
    ended = shop.operation("call_macros", calls=calls)
    assert ended.status == 0, ended.printed
    answers = json.loads(ended.printed.strip().splitlines()[-1])
    assert [(*case[:2], answer) for case, answer in zip(FILTERS, answers, strict=True)] == FILTERS


SWITCHES = [
    ("{% if target.name == 'dev' %}limit 10{% endif %}", "target"),
    ("{%- if a %}a{%- elif not flags.FULL_REFRESH %}b{% endif %}", "flags"),
    ("{%- set dev = target.name in ['dev'] %}", "target"),
    ("{%- set dev = target['name'] != 'prod' -%}", "target"),
    ("{{ 'and a > 1' if target.name == 'dev' }}", "target"),
    ("{{ config(materialized='table' if target.name == 'dev' else 'incremental') }}", None),
    ("{{- config(enabled=target.name == 'prod') }} select 1", None),
    ("select * from {{ target.schema }}.events {# if target.name == 'dev' #}", None),
    ("{% if is_incremental() %}where a > 1{% endif %} and target.name = 'b'", None),
]


def test_what_hangs_on_the_target(shop: Shop) -> None:
    """A tag that decides by target or flags; not one that names a schema by it, nor the settings of the model."""
    calls = [{"macro": "_switch", "arguments": [text]} for text, _ in SWITCHES]
    ended = shop.operation("call_macros", calls=calls)
    assert ended.status == 0, ended.printed
    answers = json.loads(ended.printed.strip().splitlines()[-1])
    assert list(zip([text for text, _ in SWITCHES], answers, strict=True)) == SWITCHES
