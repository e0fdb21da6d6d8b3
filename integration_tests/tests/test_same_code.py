"""P9: a run resumes only with the code it began with, and without a false alarm for what changes by nature."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from shop import Shop, own_project

WAREHOUSES = ["duckdb", "postgres"]

WINDOW: dict[str, Any] = {"start": "2024-03-01", "end": "2024-03-05", "column": "order_date"}

EDITS = {
    "models/strategies/fct_daily.sql": ("sum(amount)", "sum(amount) * 2"),
    "models/parents/eph_events.sql": ("amount, country", "amount * 2 as amount, country"),
    "models/parents/stg_large.sql": ("> 50", "> 60"),
    "macros/amounts.sql": ("return(20)", "return(90)"),
}


@pytest.fixture(scope="module")
def edited(built: tuple[Shop, Shop], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project after someone edited a model, an ephemeral parent, a view and a macro."""
    folder = own_project(built[0].dbt, tmp_path_factory.mktemp("edited"))
    for name, (old, new) in EDITS.items():
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new))
    return folder


def begun(shop: Shop, model: str, **arguments: Any) -> None:
    """A run that stops at a limit after its first unit."""
    ended = shop.backfill(model, limits={"minutes": 0.0001}, **{**WINDOW, **arguments})
    assert ended.status == 1
    assert "the limit of 0.0001 minutes is reached" in ended.error
    assert list(shop.units().values()) == ["done", "planned", "planned", "planned"]


@pytest.mark.parametrize(
    "model", ["fct_daily", "fct_ephemeral", "fct_chained", "fct_of_view", "fct_of_macro"]
)
def test_edited_code(shop: Shop, edited: Path, model: str) -> None:
    """The model, an ephemeral parent, one behind it, a view that it reads, or a macro behind a macro of such a view was edited:
    refused, with and without run_id."""
    begun(shop, model, read="per_unit", run_id="begun")
    before = shop.checksums()
    shop.project = edited
    ended = shop.backfill(model, read="per_unit", **WINDOW)
    assert ended.status == 1
    assert ended.error.startswith(
        "run begun of the same window is unfinished and began with other code or settings"
    )
    ended = shop.backfill(model, read="per_unit", run_id="begun", **WINDOW)
    assert ended.status == 1
    assert ended.error.startswith("run begun began with other code or settings")
    assert shop.checksums() == before
    assert shop.operation("cancel_backfill", run_id="begun").status == 0
    ended = shop.backfill(model, read="per_unit", run_id="anew", **WINDOW)
    assert ended.status == 0, ended.printed


def test_code_of_a_later_unit(shop: Shop, tmp_path: Path) -> None:
    """Where each unit is rendered by its vars, what only the last of them reads was edited: it is other code all the same."""
    text = (
        "{{ config(materialized='incremental', incremental_strategy='append') }}\n"
        "select event_id, cast(event_ts as date) as order_date, {% set day = var('window', {}).get('days', [''])[0] %} "
        "amount {% if day >= '2024-03-04' %} * 2 {% endif %} as amount, '{{ day }}' as day from {{ ref('stg_events') }}"
    )
    shop.sql(
        "create table marts.fct_by_day as select event_id, cast(event_ts as date) as order_date, amount, cast('' as varchar(20)) as day "
        "from raw.events where event_ts is not null"
    )
    for edition, factor in (("first", "* 2"), ("second", "* 3")):
        (tmp_path / edition).mkdir()
        project = own_project(shop.dbt, tmp_path / edition)
        (project / "models" / "fct_by_day.sql").write_text(text.replace("* 2", factor))
    vars_of_unit = {"vars": {"window": {"days": ["{start}"]}}, "run_id": "begun"}
    shop.project = tmp_path / "first" / "project"
    begun(shop, "fct_by_day", **vars_of_unit)
    shop.project = tmp_path / "second" / "project"
    ended = shop.backfill("fct_by_day", **WINDOW, **vars_of_unit)
    assert ended.status == 1
    assert ended.error.startswith("run begun began with other code or settings")
    shop.project = tmp_path / "first" / "project"
    ended = shop.backfill("fct_by_day", **WINDOW, **vars_of_unit)
    assert ended.status == 0, ended.printed
    window = "{0} >= date '2024-03-01' and {0} < date '2024-03-05'"
    held = "select count(*), count(distinct day) from marts.fct_by_day where {} and day = cast(order_date as varchar(20))"
    events = shop.value("select count(*) from marts.stg_events where " + window.format("event_ts"))
    assert shop.sql(held.format(window.format("order_date"))) == [(events, 4)]


def test_a_changed_var(shop: Shop) -> None:
    """A var that the model reads was given another value; one that it does not read is nobody's business."""
    begun(shop, "fct_vars", run_id="begun")
    shop.vars = {"rate": 4}
    ended = shop.backfill("fct_vars", **WINDOW)
    assert ended.status == 1
    assert ended.error.startswith(
        "run begun of the same window is unfinished and began with other code or settings"
    )
    shop.vars = {"nobody_reads_it": 4}
    assert shop.backfill("fct_vars", **WINDOW).status == 0
    assert shop.runs() == [("done", ["done"] * 4)]


@pytest.mark.parametrize(
    "changed",
    [
        {"expect": {"allow_empty": True}},
        {"backup": False},
        {"read": "per_unit"},
        {"where": {"country": "DE"}, "run_id": "begun"},
        {"inputs": {"stg_events": "event_ts"}},
    ],
)
def test_changed_settings(shop: Shop, changed: dict[str, Any]) -> None:
    """Settings that decide what is written must be those that the run began with."""
    begun(shop, "fct_daily", run_id="begun")
    ended = shop.backfill("fct_daily", **WINDOW, **changed)
    assert ended.status == 1
    assert "began with other code or settings" in ended.error


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"column": "ship_date"},
            "run_id 'begun' began with column: order_date, not ship_date; "
            "give column: order_date to go on, or leave run_id out for a new run",
        ),
        (
            {"timezone": "Asia/Tokyo"},
            "run_id 'begun' began with timezone: UTC, not Asia/Tokyo; "
            "give timezone: UTC to go on, or leave run_id out for a new run",
        ),
    ],
)
def test_another_column_or_zone(shop: Shop, changed: dict[str, Any], message: str) -> None:
    """The same window is another set of rows by it: refused by run_id, a run of its own without."""
    begun(shop, "fct_shipped", run_id="begun")
    before = shop.checksums()
    ended = shop.backfill("fct_shipped", run_id="begun", **{**WINDOW, **changed})
    assert ended.status == 1
    assert ended.error == message
    assert shop.checksums() == before
    assert shop.backfill("fct_shipped", **{**WINDOW, **changed}).status == 0
    assert shop.backfill("fct_shipped", run_id="begun", **WINDOW).status == 0
    assert shop.runs() == [("done", ["done"] * 4)] * 2


def test_other_values(shop: Shop) -> None:
    """A list with the same ends and another middle is another window."""
    listed = {"column": "country", "read": "per_unit"}
    ended = shop.backfill(
        "fct_lists", values=["AT", "CH", "DE"], run_id="begun", limits={"minutes": 0.0001}, **listed
    )
    assert "the limit of 0.0001 minutes is reached" in ended.error
    before = shop.checksums()
    for run_id in ("begun", None):
        ended = shop.backfill("fct_lists", values=["AT", "FR", "DE"], run_id=run_id, **listed)
        assert ended.status == 1
        assert "began with other code or settings" in ended.error
    assert shop.checksums() == before


@pytest.mark.parametrize("read", ["per_unit", "once"])
def test_no_alarm_for_what_changes_by_nature(shop: Shop, read: str) -> None:
    """invocation_id and run_started_at differ in each dbt; the run keeps those that it began with."""
    begun(shop, "fct_invocation", read=read)
    ended = shop.backfill("fct_invocation", read=read, **WINDOW)
    assert ended.status == 0, ended.printed
    assert shop.runs() == [("done", ["done"] * 4)]
    days = "order_date >= date '2024-03-01' and order_date < date '2024-03-05'"
    assert (
        shop.value(f"select count(distinct (written_by, written_at)) from marts.fct_invocation where {days}")
        == 1
    )
    assert shop.value("select count(distinct written_by) from marts.fct_invocation") == 2


def test_a_run_older_than_a_day(shop: Shop) -> None:
    """It is resumed by its run_id alone; without it a new run begins."""
    begun(shop, "fct_daily", run_id="begun")
    shop.sql("update marts.backfill_safety_runs set started_at = started_at - interval '25 hours'")
    assert shop.backfill("fct_daily", **WINDOW).status == 0
    assert [state for state, _ in shop.runs()] == ["incomplete", "done"]
    assert shop.backfill("fct_daily", run_id="begun", **WINDOW).status == 0
    assert [state for state, _ in shop.runs()] == ["done", "done"]
