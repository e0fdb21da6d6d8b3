"""P1: what a model's text means to dbt it means in the operation: tags, names, settings, and columns that are given twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from shop import Shop, own_project

WAREHOUSES = ["duckdb", "postgres"]

DAYS: dict[str, Any] = {"start": "2024-03-01", "end": "2024-03-04", "column": "event_ts"}
BOUNDED: dict[str, Any] = {**DAYS, "inputs": {"raw.events": "event_ts"}}
WINDOW = "event_ts >= timestamp '2024-03-01' and event_ts < timestamp '2024-03-04'"
SOURCE = "{{ source('raw', 'events') }}"

# name → (settings, the rest of the model)
MODELS: dict[str, tuple[str, str]] = {
    "what_sql_says": (
        "",
        f"select event_id, event_ts, 'config (v2)' as page, 'var.has_var (1)' as said, "
        f"'{{{{ config.get('nothing', 'a') }}}}' as told from {SOURCE}",
    ),
    "ends_in_a_text": (
        "",
        f"select event_id, event_ts, 'it''s; -- so' as said, $$a; -- b$$ as note from {SOURCE} -- c; -- d",
    ),
    "its_schema": (
        ", schema='other'",
        f"select event_id, event_ts, '{{{{ schema }}}} of {{{{ database }}}}' as place from {SOURCE}",
    ),
    "schema_of_ephemeral": (
        "",
        "select event_id, event_ts, place, '{{ schema }}' as own from {{ ref('eph_place') }}",
    ),
    "settings": (
        "",
        "select event_id, event_ts, '{{ config.get('incremental_predicates', 'unset') }}' as predicates, "
        f"'{{{{ config.get('alias', 'unset') }}}}' as alias, '{{{{ config.get('mine', 'unset') }}}}' as mine from {SOURCE}",
    ),
    "columns_by_table": (
        "",
        f"select {SOURCE}.event_id, {SOURCE}.event_ts, count({SOURCE}.country) as n from {SOURCE} "
        f"where {SOURCE}.event_ts is not null group by 1, 2",
    ),
    "columns_twice": (
        "",
        f"select e.event_id, e.event_ts, c.*, e.*, 1 as amount_1 from {SOURCE} as e left join {{{{ source('raw', 'customers') }}}} as c "
        "on c.customer_id = e.customer_id",
    ),
    "a_text_names_its_parent": (
        "",
        f"select event_id, event_ts, cast('{SOURCE}' as varchar(80)) as parent from {SOURCE}",
    ),
    "from_first": (
        "",
        f"from {SOURCE} select events.event_id, event_ts, events.country",
    ),
    "asks_dbt_itself": (
        "",
        f"select event_id, event_ts from {SOURCE} {{% if dbt.is_incremental() %}} "
        "where event_ts > (select max(event_ts) from {{ this }}) {% endif %}",
    ),
    "asks_for_flags": (
        "",
        f"select event_id, event_ts from {SOURCE} {{% if is_live() %}} "
        "where event_ts > (select max(event_ts) from {{ this }}) {% endif %}",
    ),
}
ONLY_DUCKDB = {"columns_twice", "from_first"}
IS_LIVE = """
{% macro is_live() %}
    {% set there = execute and adapter.get_relation(this.database, this.schema, this.identifier) is not none %}
    {{ return(there and flags.WHICH in ['run', 'build'] and not flags.FULL_REFRESH) }}
{% endmacro %}
"""
EPHEMERAL = (
    "{{ config(materialized='ephemeral', schema='inner') }}\n"
    f"select event_id, event_ts, '{{{{ schema }}}}' as place from {SOURCE}"
)


@pytest.fixture(scope="module")
def worded(built: tuple[Shop, Shop], warehouse: str, tmp_path_factory: pytest.TempPathFactory) -> Shop:
    """A project of such models, built by dbt."""
    folder = tmp_path_factory.mktemp("worded")
    shop = built[0].copy(folder / "right")
    shop.project = own_project(shop.dbt, folder)
    (shop.project / "models" / "eph_place.sql").write_text(EPHEMERAL)
    (shop.project / "macros" / "is_live.sql").write_text(IS_LIVE)
    for name, (settings, text) in MODELS.items():
        head = "{{ config(materialized='incremental', incremental_strategy='append'" + settings + ") }}\n"
        (shop.project / "models" / f"{name}.sql").write_text(head + text)
    names = [name for name in MODELS if warehouse == "duckdb" or name not in ONLY_DUCKDB]
    ended = shop.run("run", "--select", *names)
    assert ended.status == 0, ended.printed
    return shop


@pytest.mark.parametrize("arguments", [DAYS, BOUNDED], ids=["whole", "bounded"])
@pytest.mark.parametrize("model", MODELS)
def test_as_dbt_builds_it(
    worded: Shop, warehouse: str, tmp_path: Path, model: str, arguments: dict[str, Any]
) -> None:
    """The rows are again those that dbt has built, to the letter."""
    if model in ONLY_DUCKDB and warehouse != "duckdb":
        pytest.skip("only DuckDB numbers columns that are given twice, and lets a query begin with from")
    shop = worded.copy(tmp_path / "shop")
    schema = "marts_other" if model == "its_schema" else "marts"
    shop.sql(f"delete from {schema}.{model} where {WINDOW} and event_id % 40 = 0")
    assert shop.differing_rows(worded, f"{schema}.{model}") > 0
    ended = shop.backfill(model, **arguments)
    assert ended.status == 0, ended.printed
    assert shop.differing_rows(worded, f"{schema}.{model}") == 0
    assert "BF604" not in ended.printed
