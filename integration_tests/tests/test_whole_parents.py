"""P7: a parent whose own bound does not reach the SQL is read whole, and BF503 says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from shop import Shop, own_project

WAREHOUSES = ["duckdb", "postgres"]

DAYS: dict[str, Any] = {"start": "2024-10-10", "end": "2024-10-13", "column": "event_ts"}
BATCH = """
{{ config(
    materialized='incremental', incremental_strategy='microbatch', event_time='event_ts', batch_size='day',
    begin='2024-10-01', unique_key='event_id' if target.type == 'postgres' else none
) }}
"""
PLAIN = "{{ config(materialized='incremental', unique_key='event_id') }}\n"
COLUMNS = "select e.event_id, e.event_ts, e.amount, cast(null as varchar) as batch_id"
FROM = " from {{ ref('stg_events') }} as e"
WHOLE = " from {{ ref('stg_events').render() }} as e"
TIERS = " inner join {{ source('raw', 'customers') }} as c using (customer_id)"
BY_HAND = """ where {% if model.batch %}
    event_ts >= '{{ model.batch.event_time_start }}' and event_ts < '{{ model.batch.event_time_end }}' {% else %} true {% endif %}
"""
NONE_CUT = [("BF213", "block"), ("BF503", "block")]
# name → (the model, BF213 and BF503 as they are found, how the rows are read)
CASES: dict[str, tuple[str, list[tuple[str, str]], str]] = {
    "the only parent, bounded": (BATCH + COLUMNS + FROM, [], "per_unit"),
    "its bound taken off": (BATCH + COLUMNS + WHOLE, NONE_CUT, "once"),
    "in a comment alone": (
        BATCH
        + "-- depends on {{ ref('stg_events') }}\n"
        + COLUMNS.replace("e.", "k.")
        + " from {{ source('raw', 'kept_events') }} as k",
        NONE_CUT,
        "once",
    ),
    "cut by hand": (BATCH + COLUMNS + WHOLE + BY_HAND, [("BF503", "warn")], "per_unit"),
    "a look-up beside it": (BATCH + COLUMNS + FROM + TIERS, [("BF503", "info")], "per_unit"),
    "read a second time without its bound": (
        BATCH
        + COLUMNS
        + FROM
        + " where e.amount <= (select max(amount) from {{ ref('stg_events').render() }})",
        [("BF503", "warn")],
        "per_unit",
    ),
    "not the database in its name": (
        BATCH + COLUMNS + FROM.replace("')", "').include(database=false)"),
        [],
        "per_unit",
    ),
    "a CTE of its name": (
        BATCH
        + "with stg_events as (select * from {{ ref('stg_events') }}) "
        + COLUMNS
        + " from stg_events as e",
        [],
        "per_unit",
    ),
    "no microbatch": (PLAIN + COLUMNS + WHOLE, [("BF503", "warn")], "once"),
    "no microbatch, bounded": (PLAIN + COLUMNS + FROM, [], "per_unit"),
}


@pytest.fixture
def edited(shop: Shop, tmp_path: Path) -> Shop:
    """The project in a folder of its own."""
    shop.project = own_project(shop.dbt, tmp_path)
    return shop


@pytest.mark.parametrize(("text", "found", "read"), CASES.values(), ids=CASES)
def test_what_reaches_the_sql_counts(
    edited: Shop, text: str, found: list[tuple[str, str]], read: str
) -> None:
    """Block where nothing cuts a batch, warn where one parent's bound is taken off beside another, info for a look-up."""
    assert edited.project
    (edited.project / "models" / "strategies" / "fct_batch_day.sql").write_text(text)
    inputs = {"inputs": {"stg_events": "event_ts"}} if text.startswith(PLAIN) else {}
    plan = edited.plan("fct_batch_day", **DAYS, **inputs)
    told = [(finding["code"], finding["severity"]) for finding in plan["findings"]]
    assert [finding for finding in told if finding[0] in ("BF213", "BF503")] == found, plan["findings"]
    assert plan["summary"]["read"] == read
    if BY_HAND not in text:
        is_whole = bool({("BF503", "warn"), ("BF503", "block")} & set(found))
        assert (plan["summary"]["estimate"]["rows"] > 500) == is_whole


def test_the_alternative_cures_it(edited: Shop) -> None:
    """Two parents, of which one holds the events and neither says so: what the finding tells to write makes the plan safe."""
    assert edited.project
    (edited.project / "models" / "strategies" / "fct_batch_day.sql").write_text(
        BATCH + COLUMNS + " from {{ source('raw', 'kept_events') }} as e" + TIERS
    )
    plan = edited.plan("fct_batch_day", **DAYS)
    told = {finding["code"]: finding["alternative"] for finding in plan["findings"]}
    cure = "bound it here: inputs: {raw.kept_events: event_ts}; for its own runs set event_time: event_ts on raw.kept_events"
    assert (told["BF213"], told["BF503"]) == (cure, cure)
    cured = edited.plan("fct_batch_day", **DAYS, inputs={"raw.kept_events": "event_ts"})
    assert {"BF213", "BF503"}.isdisjoint(
        finding["code"] for finding in cured["findings"] if finding["severity"] == "block"
    )


def test_a_bound_that_is_taken_off_changes_no_row(edited: Shop, refreshed: Shop) -> None:
    """The window is read once, and each day holds what it should."""
    assert edited.project
    (edited.project / "models" / "strategies" / "fct_merge.sql").write_text(
        "{{ config(materialized='incremental', unique_key='event_id') }}\n"
        "select event_id, customer_id, event_ts, amount, country from {{ ref('stg_events').render() }}"
    )
    days = {"start": "2024-03-01", "end": "2024-03-04", "column": "event_ts"}
    ended = edited.backfill("fct_merge", inputs={"stg_events": "event_ts"}, **days)
    assert ended.status == 0, ended.printed
    assert "BF503: the bound of stg_events does not reach the SQL, which reads all of it" in ended.printed
    assert "read once, then committed unit by unit" in ended.printed
    where = "event_ts >= timestamp '2024-03-01' and event_ts < timestamp '2024-03-04'"
    assert edited.differing_rows(refreshed, "marts.fct_merge", where) == 0
