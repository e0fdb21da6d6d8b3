"""Config, hooks and headers: what a key hangs on, and what it is under given vars."""

from __future__ import annotations

from typing import Any

import pytest
from synthetic import document, encoded, manifest, node

from backfill_safety.manifest import read_manifest
from backfill_safety.render import Project, Renderer


@pytest.mark.parametrize(
    ("config", "sources"),
    [
        ("unique_key='id', tags=['a'], meta={'b': 1}", {}),
        ("unique_key=var('key')", {"unique_key": {"var"}}),
        ("incremental_strategy='append' if is_incremental() else 'merge'", {"incremental_strategy": {"run"}}),
        ("begin=run_started_at.strftime('%Y')", {"begin": {"clock"}}),
        ("begin=modules.datetime.datetime.now().isoformat()", {"begin": {"clock"}}),
        ("schema=target.schema, alias=env_var('A')", {"schema": {"target"}, "alias": {"env_var"}}),
        ("batch_size=('day' if execute else 'hour')", {"batch_size": {"run"}}),
        ("full_refresh=flags.FULL_REFRESH", {"full_refresh": {"run"}}),
        ("unique_key=[var('a'), 'b']", {"unique_key": {"var"}}),
        ("meta={'x': [{'y': run_query('q')}]}", {"meta": {"query"}}),
        ("unique_key=keyed('x')", {"unique_key": {"var"}}),
        ("unique_key=other.nested()", {"unique_key": {"run", "clock"}}),
        ("unique_key=plain('x')", {}),
        ("{'unique_key': var('key')}", {"unique_key": {"var"}}),
        ("pre_hook='{{ var(1) }}'", {}),
    ],
)
def test_what_a_key_hangs_on(config: str, sources: dict[str, set[str]]) -> None:
    macros = {
        "keyed": "{% macro keyed(x) %}{{ var('key') }}{{ keyed(x) }}{% endmacro %}",
        "plain": "{% macro plain(x) %}{{ x }}{% endmacro %}",
        "other.nested": "{% macro nested() %}{% if flags.X %}{{ deep() }}{% endif %}{% endmacro %}",
        "deep": "{% macro deep() %}{{ modules.datetime.date.today() }}{% endmacro %}",
    }
    known = manifest({"m": f"\n{{{{ config({config}) }}}}select 1"}, macros)
    rendering = Renderer(known).render(known.find("m"), "first")
    assert {k: set(v) for k, v in rendering.config_sources.items()} == sources
    assert rendering.config_line == 2


@pytest.mark.parametrize(
    ("sql", "sources"),
    [
        ("{% set k = var('a') %}{{ config(unique_key=k) }}", {"var"}),
        (
            "{% set k = 1 %}{% if is_incremental() %}{% set k = 2 %}{% endif %}{{ config(unique_key=k) }}",
            {"run"},
        ),
        (
            "{% if target.name %}{{ config(unique_key=1) }}{% else %}{{ config(unique_key=2) }}{% endif %}",
            {"target"},
        ),
        ("{% if var('x') %}{% elif execute %}{{ config(unique_key='a') }}{% endif %}", {"var", "run"}),
        ("{% set a = 1 %}{% set b = a %}{% set a = b %}{% do config(unique_key=a) %}", set()),
        ("{% set k %}{{ var('a') }}{% endset %}{{ config(unique_key=k) }}", {"var"}),
    ],
)
def test_a_key_hangs_on_what_set_and_if_hang_on(sql: str, sources: set[str]) -> None:
    known = manifest({"m": sql + "select 1"})
    found = Renderer(known).render(known.find("m"), "first").config_sources
    assert set(found.get("unique_key", ())) == sources


@pytest.mark.parametrize(
    ("given", "strategy"),
    [({}, "merge"), ({"other": 1}, "append"), ({"how": "microbatch"}, "microbatch")],
)
def test_config_is_evaluated_under_given_vars(given: dict[str, Any], strategy: str) -> None:
    keys = "incremental_strategy=var('how', 'append'), unique_key='a' if is_incremental() else 'b'"
    sql = f"{{{{ config({keys}) }}}}select 1"
    model = {"raw_code": sql, "config": {"incremental_strategy": "merge", "unique_key": "as parsed"}}
    known = manifest({"m": model})
    rendering = Renderer(known, given, Project()).render(known.find("m"), "live")
    assert rendering.config["incremental_strategy"] == strategy
    assert rendering.config["unique_key"] == "as parsed"


def test_a_branch_follows_the_evaluated_config() -> None:
    sql = "{{ config(materialized=var('as', 'table')) }}{{ is_incremental() }}"
    known = manifest({"m": {"raw_code": sql, "config": {"materialized": "table"}}})
    assert Renderer(known, {"as": "incremental"}).render(known.find("m"), "live").sql == "True"
    assert Renderer(known).render(known.find("m"), "live").sql == "False"


def test_hooks_are_rendered_for_the_model() -> None:
    hooks = [
        {"sql": "delete from {{ this }} where d = '{{ var('d', 'x') }}'", "transaction": True, "index": None},
        {"sql": "vacuum", "transaction": False},
        {"sql": "{{ gone() }}"},
        "{% if is_incremental() %}insert into log select 1{% endif %}",
    ]
    known = manifest(
        {"m": {"raw_code": "select 1", "config": {"pre-hook": hooks, "post_hook": "analyze {{ this.name }}"}}}
    )
    rendering = Renderer(known).render(known.find("m"), "live")
    assert [h.sql for h in rendering.pre_hooks] == [
        'delete from "db"."main"."m" where d = \'x\'',
        "vacuum",
        None,
        "insert into log select 1",
    ]
    assert [h.transaction for h in rendering.pre_hooks] == [True, False, True, True]
    assert [h.error for h in rendering.pre_hooks] == [None, None, "'gone' is undefined", None]
    assert [m.name for m in rendering.pre_hooks[0].marks] == ["d"]
    assert [h.sql for h in rendering.post_hooks] == ["analyze m"]


def test_what_only_a_hook_reads_is_no_ref_of_the_model() -> None:
    hook = "insert into log select * from {{ ref('up') }}"
    models = {"m": {"raw_code": "select 1", "config": {"post-hook": hook}}, "up": "select 1"}
    known = manifest(models)
    rendering = Renderer(known).render(known.find("m"), "live")
    assert rendering.refs == ()
    assert rendering.relations['"db"."main"."up"'] == "model.shop.up"


def test_a_hook_of_the_run_that_never_ends_is_an_error() -> None:
    text = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    content = document()
    hook = node("shop-on-run-end-0", {"raw_code": text, "tags": ["on-run-end"], "index": 0}, kind="operation")
    content["nodes"][hook["unique_id"]] = hook
    known = read_manifest(encoded(content))
    rendered = Renderer(known).render_operation(known.on_run_end[0])
    assert (rendered.sql, rendered.error) == (None, "its template takes more than 200,000 steps")


def test_an_on_run_end_hook_is_rendered() -> None:
    values = "'{{ r.node.name }}', '{{ run_started_at.year }}'"
    text = f"{{% for r in results %}}insert into log values ({values}){{% endfor %}}"
    content = document()
    hook = node("shop-on-run-end-0", {"raw_code": text, "tags": ["on-run-end"], "index": 0}, kind="operation")
    content["nodes"][hook["unique_id"]] = hook
    known = read_manifest(encoded(content))
    rendered = Renderer(known).render_operation(known.on_run_end[0])
    assert rendered.sql == "insert into log values ('__result_what_only_the_run_itself_knows__', '2026')"
    assert rendered.error is None


def test_a_header_is_kept() -> None:
    setter = "{% macro set_sql_header(config) %}{{ config.set('sql_header', caller()) }}{% endmacro %}"
    sql = "{% call set_sql_header(config) %}set x = {{ this.name }};{% endcall %}select 1"
    known = manifest(
        {"m": sql, "n": {"raw_code": "select 1", "config": {"sql_header": "set y"}}},
        {"dbt.set_sql_header": setter},
    )
    renderer = Renderer(known)
    assert renderer.render(known.find("m"), "first").sql_header == "set x = m;"
    assert renderer.render(known.find("n"), "first").sql_header == "set y"
    assert renderer.render(known.find("m"), "first").sql == "select 1"
