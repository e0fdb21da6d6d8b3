"""Manifests of all schemas that are met: read alike, and rendered as dbt itself compiled them.

`versions/` holds what dbt wrote for a small project, trimmed to the macros it uses: 1.2 wrote v6, 1.3 v7, 1.4 v8,
1.5 v9, 1.6 v10, 1.7 v11 and 1.11 v12. v4, v5 and dbt 2.0 are derived from their schemas.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from synthetic import document, encoded, node

from backfill_safety.manifest import Manifest, read_manifest
from backfill_safety.render import Renderer

VERSIONS = sorted(Path(__file__).with_name("versions").glob("v*.json"), key=lambda p: int(p.stem[1:]))
MODEL = "model.shop.daily_orders"


def normalised(sql: str | None) -> str:
    return re.sub(r'[\s"]+', "", sql or "").lower()


@pytest.fixture(params=VERSIONS, ids=lambda p: p.stem)
def known(request: pytest.FixtureRequest) -> Manifest:
    return read_manifest(request.param)


def test_the_same_project_is_read_from_each(known: Manifest) -> None:
    assert known.path is not None
    assert known.metadata.schema == int(known.path.stem[1:])
    assert (known.adapter, known.parsed_with, known.project_name) == ("duckdb", "duckdb", "shop")
    assert sorted(known.nodes) == [
        MODEL,
        "model.shop.stg_orders",
        "operation.shop.shop-on-run-end-0",
        "seed.shop.countries",
        "snapshot.shop.orders_snapshot",
    ]
    model = known.find("daily_orders")
    assert [n.name for n in known.incremental] == ["daily_orders"]
    assert (model.materialized, model.config["unique_key"], model.tags) == (
        "incremental",
        "order_day",
        ["nightly"],
    )
    assert model.meta == {"owner": "finance"}
    assert sorted(model.columns) == ["order_day", "orders"]
    assert model.original_file_path == "models/daily_orders.sql"
    assert model.code.startswith("{{ config(materialized='incremental'")
    assert model.parents == ["model.shop.stg_orders"]
    assert known.children["source.shop.raw.orders"] == [
        "model.shop.stg_orders",
        "snapshot.shop.orders_snapshot",
    ]
    assert known.sources["source.shop.raw.orders"].loaded_at_field == "loaded_at"
    assert known.not_null == {MODEL: frozenset({"order_day"})}
    assert known.unique == {MODEL: frozenset({"order_day"})}
    assert [n.unique_id for n in known.on_run_end] == ["operation.shop.shop-on-run-end-0"]


def test_the_first_branch_is_what_dbt_compiled(known: Manifest) -> None:
    renderer = Renderer(known, {"first_day": "2024-01-01"})
    rendering = renderer.render(known.nodes[MODEL], "first")
    assert rendering.error is None
    assert normalised(rendering.sql) == normalised(known.nodes[MODEL].compiled)
    assert [h.sql for h in rendering.post_hooks] == [f"analyze {rendering.this}"]


def test_the_live_branch_is_filtered(known: Manifest) -> None:
    rendering = Renderer(known, {"first_day": "2024-01-01"}).render(known.nodes[MODEL], "live")
    assert "updated_at > (select max(updated_at) from" in rendering.sql
    line = next(
        i for i, text in enumerate(rendering.sql.split("\n"), start=1) if "max(updated_at) from" in text
    )
    assert rendering.line_of(line) == 7
    assert rendering.macros == (
        "macro.dbt.is_incremental",
        "macro.dbt.should_full_refresh",
        "macro.shop.since",
    )


def test_snapshots_and_operations_are_rendered(known: Manifest) -> None:
    renderer = Renderer(known)
    snapshot = renderer.render(known.find("orders_snapshot"), "first")
    assert normalised(snapshot.sql).startswith("select*from")
    assert (
        renderer.render_operation(known.on_run_end[0]).sql
        == "select __result_what_only_the_run_itself_knows__"
    )


def derived(number: int) -> dict[str, Any]:
    """v4 to v6 as their schemas have it: `raw_sql`, `compiled_sql`, no project's name, refs as lists."""
    content = document({"m": {"refs": [["up"]], "compiled_sql": "select 1"}, "up": "select 1"})
    content["metadata"]["dbt_schema_version"] = f"https://schemas.getdbt.com/dbt/manifest/v{number}.json"
    del content["metadata"]["project_name"]
    for each in content["nodes"].values():
        each["raw_sql"] = each.pop("raw_code")
        each.pop("language")
    return content


@pytest.mark.parametrize("number", [4, 5, 6])
def test_the_spellings_of_v4_to_v6(number: int) -> None:
    known = read_manifest(encoded(derived(number)))
    model = known.find("m")
    assert (model.code, model.compiled, model.is_python) == ("select 1 as id", "select 1", False)
    assert known.project_name == "shop"
    assert Renderer(known).render(model, "live").sql == "select 1 as id"


def test_dbt_2() -> None:
    """The beta's shape, taken from a published one: operations without config, nulls, `classifiers`."""
    content = document({"m": {"classifiers": [], "meta": {}, "patch_path": None, "version": None}})
    content["metadata"] |= {"dbt_version": "2.0.0-beta.2", "generated_at": "2026-08-20T13:47:12.274457473Z"}
    hook = node("shop-on-run-end-0", {"raw_code": "analyze", "tags": []}, kind="operation")
    del hook["config"]
    seed = node("s", {"raw_code": None, "config": {"materialized": None}}, kind="seed")
    content["nodes"] |= {n["unique_id"]: n for n in (hook, seed)}
    known = read_manifest(encoded(content))
    renderer = Renderer(known)
    assert [renderer.render_operation(n).sql for n in known.on_run_end] == ["analyze"]
    assert renderer.now.isoformat() == "2026-08-20T13:47:12.274457+00:00"
    assert renderer.render(known.find("m"), "first").sql == "select 1 as id"
