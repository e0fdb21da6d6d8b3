"""P4: the columns by which a live run finds how far it has come are known however they are asked for, and no others are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from shop import Shop, own_project

WAREHOUSES = ["duckdb", "postgres"]

DAYS: dict[str, Any] = {"start": "2024-03-01", "end": "2024-03-04", "column": "event_ts", "live": "paused"}
HEAD = "{{{{ config(materialized='incremental', incremental_strategy='append'{more}) }}}}\n"
SELECT = "select e.event_id, e.event_ts, e.loaded_at, e.amount from {{ source('raw', 'events') }} as e\n"
META = ", meta={{'backfill_safety': {}}}"

# name → (where the live run begins, the columns that are its cursor)
BEGINS: dict[str, tuple[str, list[str]]] = {
    "whole": ("e.loaded_at > (select max(loaded_at) from {{ this }})", ["loaded_at"]),
    "by_schema": (
        "e.loaded_at > (select max(loaded_at) from {{ this.schema }}.{{ this.name }})",
        ["loaded_at"],
    ),
    "without_database": (
        "e.loaded_at > (select max(loaded_at) from {{ this.include(database=false) }})",
        ["loaded_at"],
    ),
    "every": ("e.loaded_at > all (select t.loaded_at from {{ this }} as t)", ["loaded_at"]),
    "newest_row": (
        "e.loaded_at > (select t.loaded_at from {{ this }} as t order by t.loaded_at desc nulls last limit 1)",
        ["loaded_at"],
    ),
    "joined": (
        "e.loaded_at >= (select coalesce(max(t.loaded_at), '1900-01-01') from {{ ref('stg_events') }} as s join {{ this }} as t on true)",
        ["loaded_at"],
    ),
    "arg_max": ("e.loaded_at > (select arg_max(loaded_at, loaded_at) from {{ this }})", ["loaded_at"]),
    "named_before": (
        "e.loaded_at > (with mine as (select t.* from {{ this }} as t where t.event_id > 0) select max(loaded_at) from mine)",
        ["loaded_at"],
    ),
    "other_rows_beside": (
        "e.event_id > (with both_of as (select amount from {{ this }} union all select amount from {{ source('raw', 'events') }}) "
        "select max(amount) from both_of)",
        [],
    ),
    "two": (
        "(e.loaded_at > (select max(loaded_at) from {{ this }}) or e.event_id > (select max(event_id) from {{ this }}))",
        ["event_id", "loaded_at"],
    ),
    "asked": (
        "e.loaded_at > '{{ run_query('select loaded_at from ' ~ this ~ ' order by 1 desc limit 1')[0][0] }}'",
        ["loaded_at"],
    ),
    "asked_by_name": (
        "e.loaded_at > '{{ run_query('select t.loaded_at as at from ' ~ this ~ ' as t order by t.loaded_at desc limit 1')[0][0] }}'",
        ["loaded_at"],
    ),
    "not_there": ("not exists (select 1 from {{ this }} as t where t.event_id = e.event_id)", []),
    "not_in": ("e.event_id not in (select event_id from {{ this }})", []),
    "a_mean": ("e.amount > (select avg(amount) from {{ this }})", []),
    "a_count": ("(select count(*) from {{ this }}) > 0", []),
    "longer_name": ("e.amount > (select max(amount) from {{ this }}_raw)", []),
}
DECLARED = {
    "one": ("'loaded_at'", ["loaded_at"]),
    "list": ("['loaded_at', 'EVENT_ID']", ["event_id", "loaded_at"]),
}


@pytest.fixture(scope="module")
def asking(built: tuple[Shop, Shop], tmp_path_factory: pytest.TempPathFactory) -> Shop:
    """A project of such models; their tables are as an append leaves them."""
    folder = tmp_path_factory.mktemp("asking")
    shop = built[0].copy(folder / "shop")
    shop.project = own_project(shop.dbt, folder)
    texts = {
        f"cur_{name}": HEAD.format(more="")
        + SELECT
        + "{% if is_incremental() %} where "
        + begins
        + " {% endif %}"
        for name, (begins, _) in BEGINS.items()
    }
    for name, (said, _) in DECLARED.items():
        texts[f"told_{name}"] = HEAD.format(more=META.format("{'watermark': " + said + "}")) + SELECT
    texts["told_wrong"] = HEAD.format(more=META.format("{'watermark': 'loaded_att'}")) + SELECT
    rows = "select event_id, event_ts, loaded_at, amount from raw.events where event_ts is not null"
    for name, text in texts.items():
        (shop.project / "models" / f"{name}.sql").write_text(text)
        shop.sql(f"create table marts.{name} as {rows}")
    return shop


@pytest.mark.parametrize(
    ("model", "columns"),
    [(f"cur_{name}", columns) for name, (_, columns) in BEGINS.items()]
    + [(f"told_{name}", columns) for name, (_, columns) in DECLARED.items()],
)
def test_the_cursor(asking: Shop, model: str, columns: list[str]) -> None:
    """As the plan has it."""
    cursor = asking.plan(model, **DAYS)["summary"]["cursor"]
    assert sorted(mark["column"] for mark in cursor) == columns


def test_a_query_that_begins_with_from(asking: Shop, warehouse: str, tmp_path: Path) -> None:
    """As DuckDB takes it."""
    if warehouse != "duckdb":
        pytest.skip("only DuckDB lets a query begin with from")
    shop = asking.copy(tmp_path / "shop")
    shop.project = own_project(shop.dbt, tmp_path)
    begins = "e.loaded_at > (from {{ this }} as t where event_id > 0 select max(t.loaded_at))"
    text = HEAD.format(more="") + SELECT + "{% if is_incremental() %} where " + begins + " {% endif %}"
    (shop.project / "models" / "from_first.sql").write_text(text)
    shop.sql("create table marts.from_first as from marts.cur_whole")
    cursor = shop.plan("from_first", **DAYS)["summary"]["cursor"]
    assert [mark["column"] for mark in cursor] == ["loaded_at"]


def test_a_column_that_is_none(asking: Shop) -> None:
    """A declared watermark that the table lacks would guard nothing."""
    ended = asking.backfill("told_wrong", **DAYS)
    assert ended.status == 1
    assert ended.error == (
        "meta.backfill_safety.watermark of told_wrong names 'loaded_att', which is no column of "
        '"shop"."marts"."told_wrong"; write one of event_id, event_ts, loaded_at, amount'
    )


# name → (where the live run begins, whether its cursor is that of some rows alone)
AMONG: dict[str, tuple[str, bool]] = {
    "of_a_source": (
        "(e.event_id > 5 or e.loaded_at > (select max(t.loaded_at) from {{ this }} as t where t.amount > 1))",
        True,
    ),
    "of_each": (
        "e.loaded_at > (select max(n.newest) from (select event_id, max(loaded_at) as newest from {{ this }} group by event_id) as n)",
        True,
    ),
    "of_late_rows": (
        "e.loaded_at > (select max(loaded_at) from {{ this }} where event_ts > '2024-01-01' and loaded_at > '2020-01-01')",
        False,
    ),
    "of_a_text": (
        "e.loaded_at > (select max(loaded_at) from {{ this }} where cast(event_ts as text) <> 'amount')",
        False,
    ),
    "of_all": ("e.loaded_at > (select max(loaded_at) from {{ this }}) and amount in (1, 2)", False),
}


def test_a_cursor_of_some_rows(asking: Shop, tmp_path: Path) -> None:
    """Only the whole table's is watched, so it is said where a live run asks for that of a source or a tenant."""
    shop = asking.copy(tmp_path / "shop")
    shop.project = own_project(shop.dbt, tmp_path)
    for name, (begins, _) in AMONG.items():
        text = HEAD.format(more="") + SELECT + "{% if is_incremental() %} where " + begins + " {% endif %}"
        (shop.project / "models" / f"{name}.sql").write_text(text)
        shop.sql(f"create table marts.{name} as select * from marts.cur_whole")
    said = {}
    for name in AMONG:
        plan = shop.plan(name, **DAYS)
        assert [mark["column"] for mark in plan["summary"]["cursor"]] == ["loaded_at"], name
        said[name] = [found["message"] for found in plan["findings"] if found["code"] == "BF110"]
    assert {name: bool(messages) for name, messages in said.items()} == {
        name: is_told for name, (_, is_told) in AMONG.items()
    }
    assert "(where t.amount > 1) and this run watches loaded_at of the whole table" in said["of_a_source"][0]


@pytest.mark.parametrize("model", ["cur_by_schema", "cur_newest_row", "cur_asked"])
def test_it_is_not_carried_on(asking: Shop, tmp_path: Any, model: str) -> None:
    """Rows of an old day that were loaded after the cursor: that day is left for the live run, which then still finds them."""
    shop = asking.copy(tmp_path / "shop")
    shop.sql("""
        insert into raw.events
        select 90000, 1, 1, timestamp '2024-03-02 10:00:00', timestamp '2025-02-01 00:00:00', 9, 'DE'
    """)
    ended = shop.backfill(model, **DAYS)
    assert ended.status == 1
    assert "1 deferred (2024-03-02) until the live run has caught up" in ended.error
    assert shop.run("run", "--select", model).status == 0
    assert shop.value(f"select count(*) from marts.{model} where event_id = 90000") == 1
