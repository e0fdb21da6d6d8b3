"""Finding nodes by name, and what a manifest knows of itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from synthetic import document, encoded, manifest, node

from backfill_safety.manifest import SelectionError, read_manifest
from backfill_safety.render import Renderer, read_project


@pytest.mark.parametrize("name", ["m", "shop.m", "model.shop.m"])
def test_a_model_has_three_names(name: str) -> None:
    assert manifest({"m": "select 1"}).find(name).unique_id == "model.shop.m"


def test_versions_are_names_too() -> None:
    content = document()
    for number in (1, 2):
        made = {**node("m", {"version": number}), "unique_id": f"model.shop.m.v{number}"}
        content["nodes"][made["unique_id"]] = made
    known = read_manifest(encoded(content))
    assert known.find("m.v2").version == 2
    assert known.find("shop.m.v1").version == 1
    with pytest.raises(SelectionError, match="is several models, name one: "):
        known.find("m")


def test_the_root_project_comes_first() -> None:
    content = document({"m": "select 1"})
    other = node("m", "select 2", package="other")
    content["nodes"][other["unique_id"]] = other
    known = read_manifest(encoded(content))
    assert known.find("m").package_name == "shop"
    assert known.find("other.m").package_name == "other"


def test_a_typo_is_answered_with_names_that_come_near() -> None:
    with pytest.raises(SelectionError) as caught:
        manifest({"daily_orders": "select 1"}).find("dayly_orders")
    assert str(caught.value) == "no model is called 'dayly_orders'; close: daily_orders"


def test_everything_is_sorted() -> None:
    known = manifest(
        {"b": "select 1", "a": "select 1"},
        {"y": "{% macro y() %}{% endmacro %}", "x": "{% macro x() %}{% endmacro %}"},
    )
    assert list(known.nodes) == ["model.shop.a", "model.shop.b"]
    assert list(known.macros) == ["macro.shop.x", "macro.shop.y"]


def test_an_adapter_can_be_given() -> None:
    known = read_manifest(encoded(document({"m": "{{ target.type }}"}, adapter=None)), "Snowflake")
    assert known.adapter == "snowflake"
    assert Renderer(known).render(known.find("m"), "first").sql == "snowflake"


def test_the_project_beside_the_manifest_gives_vars_and_dispatch(tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    (tmp_path / "dbt_packages" / "kit").mkdir(parents=True)
    (tmp_path / "dbt_project.yml").write_text(
        "name: shop\nvars: {a: 1, kit: {b: 2}}\ndispatch: [{macro_namespace: kit, search_order: [kit]}]\n"
    )
    (tmp_path / "dbt_packages" / "kit" / "dbt_project.yml").write_text(
        "name: kit\nvars: {b: 3, kit: {c: 4}, d: 5}\n"
    )
    macros = {
        "default__x": "{% macro default__x() %}shop{% endmacro %}",
        "kit.default__x": "{% macro default__x() %}kit{% endmacro %}",
    }
    models = {
        "m": "{{ var('a') }} {{ var('d', 'none') }} {{ adapter.dispatch('x', 'kit')() }}",
        "k": {
            "raw_code": "{{ var('a') }} {{ var('b') }} {{ var('c') }} {{ var('d') }}",
            "package_name": "kit",
        },
    }
    path = tmp_path / "target" / "manifest.json"
    path.write_bytes(encoded(document(models, macros)))
    known = read_manifest(path)
    renderer = Renderer(known)
    assert renderer.render(known.find("m"), "first").sql == "1 none kit"
    assert renderer.render(known.find("k"), "first").sql == "1 2 4 5"
    assert Renderer(known, {"b": 9}).render(known.find("k"), "first").sql == "1 9 4 5"


def test_the_project_of_another_manifest_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "dbt_project.yml").write_text("name: stranger\nvars: {a: 1}\n")
    (tmp_path / "manifest.json").write_bytes(encoded(document({"m": "{{ var('a') }}"})))
    known = read_manifest(tmp_path / "manifest.json")
    assert Renderer(known).render(known.find("m"), "first").sql == "__var_a__"


@pytest.mark.parametrize(
    "text", ["", "a: [", "- 1", "vars: 3\ndispatch: x\nname: [1]", "\0", "a: " + "[" * 9999]
)
def test_a_broken_project_has_no_vars(text: str, tmp_path: Path) -> None:
    (tmp_path / "dbt_project.yml").write_text(text)
    assert read_project(tmp_path).vars == {}
    assert not read_project(tmp_path / "nowhere").found


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("vars: {a: &a [*a]}", "its template nests values more than 50 deep"),
        ("vars: {b: &b [x, x, x, x], c: &c [*b, *b, *b, *b], a: [*c, *c, *c, *c]}", None),
        ("vars: {a: '{{ var(\"a\") }}'}", "its template calls macros more than 60 deep"),
    ],
)
def test_a_bomb_in_the_projects_vars_costs_its_model(text: str, error: str | None, tmp_path: Path) -> None:
    (tmp_path / "dbt_project.yml").write_text(text)
    known = manifest({"m": "{{ var('a') }}"})
    assert Renderer(known, project=read_project(tmp_path)).render(known.find("m"), "first").error == error
