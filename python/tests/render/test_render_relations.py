"""What a model reads: refs and sources, ephemeral parents as CTEs, and which relation is which node."""

from __future__ import annotations

import pytest
from synthetic import PROJECT, manifest, node

from backfill_safety.render import Ref, render_model

EPHEMERAL = {"materialized": "ephemeral"}


def test_relations_lead_back_to_nodes() -> None:
    sql = "\nselect * from {{ ref('up') }}\njoin {{ source('raw', 'orders') }}\nwhere x > {{ this }}"
    known = manifest({"m": sql, "up": "select 1"})
    rendering = render_model(known, known.find("m"), "live")
    assert dict(rendering.relations) == {
        '"db"."main"."m"': "model.shop.m",
        '"db"."main"."up"': "model.shop.up",
        '"db"."raw"."orders"': "source.shop.raw.orders",
    }
    assert rendering.this == '"db"."main"."m"'
    assert rendering.refs == (
        Ref("model.shop.up", '"db"."main"."up"', "ref", line=2),
        Ref("source.shop.raw.orders", '"db"."raw"."orders"', "source", line=3),
    )


@pytest.mark.parametrize("call", ["ref('up').render()", "ref('up').include(database=true).render()"])
def test_an_explicit_render_is_noted(call: str) -> None:
    known = manifest(
        {
            "m": f"select * from {{{{ {call} }}}} join {{{{ ref('down') }}}}",
            "up": "select 1",
            "down": "select 1",
        }
    )
    refs = {r.unique_id: r.rendered for r in render_model(known, known.find("m"), "live").refs}
    assert refs == {"model.shop.up": True, "model.shop.down": False}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (
            "select * from {{ ref('e') }}",
            "with __dbt__cte__e as ( select 1 as e ) select * from __dbt__cte__e",
        ),
        (
            "-- with\n/* with */ WITH a as (select * from {{ ref('e') }}) select * from a",
            "-- with /* with */ WITH __dbt__cte__e as ( select 1 as e ),"
            " a as (select * from __dbt__cte__e) select * from a",
        ),
        (
            "with recursive a as (select 1) select * from a, {{ ref('e') }}",
            "with recursive __dbt__cte__e as ( select 1 as e ),"
            " a as (select 1) select * from a, __dbt__cte__e",
        ),
        (
            "select * from {{ ref('ee') }}, {{ ref('e') }}",
            "with __dbt__cte__e as ( select 1 as e ), __dbt__cte__ee as ( select * from __dbt__cte__e )"
            " select * from __dbt__cte__ee, __dbt__cte__e",
        ),
        ("select withdrawn from {{ ref('up') }}", 'select withdrawn from "db"."main"."up"'),
    ],
)
def test_ephemeral_parents_become_ctes(sql: str, expected: str) -> None:
    known = manifest(
        {
            "m": sql,
            "up": "select 1",
            "e": {"raw_code": "select 1 as e", "config": EPHEMERAL},
            "ee": {"raw_code": "select * from {{ ref('e') }}", "config": EPHEMERAL},
        }
    )
    rendering = render_model(known, known.find("m"), "first")
    assert " ".join(rendering.sql.split()) == expected
    assert rendering.marked == rendering.sql


def test_an_ephemeral_parent_is_known_by_its_cte_and_reads_on() -> None:
    known = manifest(
        {
            "m": "select * from {{ ref('e') }}",
            "e": {"raw_code": "select * from {{ ref('up') }}", "config": EPHEMERAL},
            "up": "select 1",
        }
    )
    rendering = render_model(known, known.find("m"), "first")
    assert rendering.ephemeral == ("model.shop.e",)
    assert rendering.relations["__dbt__cte__e"] == "model.shop.e"
    assert rendering.relations['"db"."main"."up"'] == "model.shop.up"


def test_ephemeral_models_in_a_circle_are_an_error() -> None:
    known = manifest(
        {
            "m": "select * from {{ ref('a') }}",
            "a": {"raw_code": "select * from {{ ref('b') }}", "config": EPHEMERAL},
            "b": {"raw_code": "select * from {{ ref('a') }}", "config": EPHEMERAL},
        }
    )
    assert (
        render_model(known, known.find("m"), "first").error
        == "ephemeral models read each other in a circle: a"
    )


def test_versions_packages_and_seeds_are_found() -> None:
    from synthetic import document, encoded

    from backfill_safety.manifest import read_manifest

    calls = ("'v'", "'v', v=1", "'v', version='2'", "'p'", "'other', 'p'", "'s'")
    content = document({"m": " ".join(f"{{{{ ref({r}) }}}}" for r in calls)})
    added = [
        {
            **node("v", {"version": 1, "latest_version": 2, "relation_name": "v_v1"}),
            "unique_id": "model.shop.v.v1",
        },
        {
            **node("v", {"version": 2, "latest_version": 2, "relation_name": "v_v2"}),
            "unique_id": "model.shop.v.v2",
        },
        node("p", {"relation_name": "own"}),
        node("p", {"relation_name": "theirs"}, package="other"),
        node("s", {"relation_name": "seed"}, kind="seed"),
    ]
    content["nodes"] |= {n["unique_id"]: n for n in added}
    known = read_manifest(encoded(content))
    assert render_model(known, known.find("m"), "first").sql == "v_v2 v_v1 v_v2 own theirs seed"
    assert known.project_name == PROJECT


def test_a_package_finds_its_own_model_first() -> None:
    from synthetic import document, encoded

    from backfill_safety.manifest import read_manifest

    content = document({"p": {"relation_name": "own"}})
    added = [
        node("p", {"relation_name": "theirs"}, package="other"),
        node("m", "{{ ref('p') }}", package="other"),
    ]
    content["nodes"] |= {n["unique_id"]: n for n in added}
    known = read_manifest(encoded(content))
    assert render_model(known, known.find("m"), "first").sql == "theirs"


@pytest.mark.parametrize(
    ("branch", "call", "found"),
    [
        ("first", "this.database, this.schema, this.identifier", "None"),
        ("live", "this.database, this.schema, this.identifier", "table"),
        ("first", "'DB', 'main', 'up'", "view"),
        ("first", "'db', 'main', 'stranger'", "__relation_1__"),
    ],
)
def test_relations_that_exist(branch: str, call: str, found: str) -> None:
    sql = f"{{% set r = adapter.get_relation({call}) %}}{{{{ r.type if r is not none else none }}}}"
    known = manifest({"m": sql, "up": {"raw_code": "select 1", "config": {"materialized": "view"}}})
    assert render_model(known, known.find("m"), branch).sql == found  # type: ignore[arg-type]


def test_columns_are_those_documented_and_an_unknown_one() -> None:
    sql = (
        "{% for c in adapter.get_columns_in_relation(ref('up')) %}{{ c.name }} {{ c.data_type }},{% endfor %}"
    )
    up = {"raw_code": "select 1", "columns": {"id": {"name": "id", "data_type": "int"}}}
    known = manifest({"m": sql, "up": up, "bare": "select 1"})
    assert render_model(known, known.find("m"), "first").sql == "id int,__columns_1__ __columns_1__,"
    bare = manifest({"m": sql.replace("'up'", "'bare'"), "bare": "select 1"})
    assert render_model(bare, bare.find("m"), "first").sql == "__columns_1__ __columns_1__,"


def test_a_relation_is_a_mapping_too() -> None:
    """`dbt_utils` tells relations from texts by that."""
    sql = "{{ this is mapping }}{{ this.metadata.type }}{{ this.get('schema') }}{{ this['name'] }}{{ (this | dictsort)[0][1] }}"
    known = manifest({"m": sql})
    assert render_model(known, known.find("m"), "first").sql == "TrueRelationmainmdb"
