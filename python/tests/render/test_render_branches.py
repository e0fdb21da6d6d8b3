"""A model in its two branches: names, macros and what a project replaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from synthetic import Given, document, encoded, manifest

from backfill_safety.manifest import read_manifest
from backfill_safety.render import Rendering, render_model
from backfill_safety.render.standins import _FORMS

DBT_IS_INCREMENTAL = """{% macro is_incremental() %}
  {% if not execute %}{{ return(False) }}{% endif %}
  {% set found = adapter.get_relation(this.database, this.schema, this.table) %}
  {{ return(found is not none and found.type == 'table' and model.config.materialized == 'incremental'
            and not should_full_refresh()) }}
{% endmacro %}"""
DBT_SHOULD_FULL_REFRESH = """{% macro should_full_refresh() %}
  {% set own = config.get('full_refresh') %}
  {{ return(flags.FULL_REFRESH if own is none else own) }}
{% endmacro %}"""
DBT = {"dbt.is_incremental": DBT_IS_INCREMENTAL, "dbt.should_full_refresh": DBT_SHOULD_FULL_REFRESH}

FILTERED = """select * from {{ ref('up') }}
{% if is_incremental() %} where t > (select max(t) from {{ this }}){% endif %}"""


def render(
    branch: Any, models: Mapping[str, Given], macros: Mapping[str, str] | None = None, **kwargs: Any
) -> Rendering:
    """The first of the models, which must render."""
    given = kwargs.pop("vars", None)
    known = manifest(models, {**DBT, **(macros or {})}, **kwargs)
    rendering = render_model(known, known.find(next(iter(models))), branch, given)
    assert rendering.error is None, rendering.error
    return rendering


def squeezed(rendering: Rendering) -> str:
    return " ".join(rendering.sql.split())


@pytest.mark.parametrize(
    "macros", [{}, {"x": "{% macro x() %}{% endmacro %}"}], ids=["of dbt", "with another macro"]
)
def test_is_incremental_tells_the_branches_apart(macros: dict[str, str]) -> None:
    models = {"m": FILTERED, "up": "select 1"}
    assert squeezed(render("first", models, macros)) == 'select * from "db"."main"."up"'
    assert 'where t > (select max(t) from "db"."main"."m")' in squeezed(render("live", models, macros))


def test_without_dbts_own_macro_the_answer_is_the_same() -> None:
    known = manifest({"m": FILTERED, "up": "select 1"})
    assert "max(t)" not in render_model(known, known.find("m"), "first").sql
    assert "max(t)" in render_model(known, known.find("m"), "live").sql


@pytest.mark.parametrize("config", [{"materialized": "table"}, {"full_refresh": True}])
def test_a_run_that_rebuilds_has_no_incremental_branch(config: dict[str, Any]) -> None:
    assert (
        "where" not in render("live", {"m": {"raw_code": FILTERED, "config": config}, "up": "select 1"}).sql
    )


def test_a_full_refresh_is_what_the_first_branch_is() -> None:
    sql = "{% if flags.FULL_REFRESH %}whole{% else %}part{% endif %}"
    assert render("first", {"m": sql}).sql == "whole"
    assert render("live", {"m": sql}).sql == "part"


def test_a_projects_own_is_incremental_is_honoured_and_named() -> None:
    own = "{% macro is_incremental() %}{{ return(not flags.FULL_REFRESH) }}{% endmacro %}"
    rendering = render("live", {"m": FILTERED, "up": "select 1"}, {"is_incremental": own})
    assert "max(t)" in rendering.sql
    assert rendering.overridden == ("is_incremental",)
    assert "macro.shop.is_incremental" in rendering.macros


def test_a_projects_own_ref_is_honoured_and_named() -> None:
    own = "{% macro ref(name) %}{{ return(builtins.ref(name).include(database=false)) }}{% endmacro %}"
    rendering = render("first", {"m": FILTERED, "up": "select 1"}, {"ref": own})
    assert squeezed(rendering) == 'select * from "main"."up"'
    assert rendering.overridden == ("ref",)


def test_a_projects_own_strategy_is_named() -> None:
    macros = {
        "dbt.get_merge_sql": "{% macro get_merge_sql() %}{% endmacro %}",
        "get_merge_sql": "{% macro get_merge_sql() %}{% endmacro %}",
    }
    assert render("live", {"m": "select 1"}, macros).overridden == ("get_merge_sql",)


def test_macros_shared_by_models_see_each_models_own_names() -> None:
    """Jinja keeps the names with which a macro was first built; ours are looked up when they are used."""
    body = "{{ this }} {{ model.name }} {{ config.get('unique_key') }} {{ is_incremental() }}"
    models: dict[str, Given] = {
        n: {"raw_code": "{{ me() }}", "config": {"unique_key": f"{n}_id"}} for n in ("a", "b")
    }
    known = manifest(models, {**DBT, "me": f"{{% macro me() %}}{body}{{% endmacro %}}"})
    from backfill_safety.render import Renderer

    renderer = Renderer(known)
    shown = [renderer.render(known.find(n), b).sql for n in ("a", "b") for b in ("first", "live")]  # type: ignore[arg-type]
    assert shown == [
        '"db"."main"."a" a a_id False',
        '"db"."main"."a" a a_id True',
        '"db"."main"."b" b b_id False',
        '"db"."main"."b" b b_id True',
    ]


@pytest.mark.parametrize(
    ("text", "sql"),
    [
        ("{% do return([1, 2]) %}", "[1, 2]"),
        ("{{ return('a') }}b", "a"),
        ("{{ typed() }}", "qNone"),
        ("{% call y() %}in{% endcall %}", "<in>"),
        ("{% set l = [] %}{% do l.append(3) %}{{ l }}", "[3]"),
        ("{% for i in range(9) %}{% if i == 2 %}{% break %}{% endif %}{{ i }}{% endfor %}", "01"),
        ("{{ tojson({'a': fromjson('[1]')}) }}{{ fromyaml('b: 2').b }}", '{"a": [1]}2'),
        ("{{ zip([1], [2]) | list }}{{ set([3, 3]) | list }}{{ local_md5('a')[:4] }}", "[(1, 2)][3]0cc1"),
        ("{{ log('seen', info=true) }}{{ print('seen') }}", ""),
        ("{{ modules.datetime.date(2024, 1, 31) + modules.datetime.timedelta(days=1) }}", "2024-02-01"),
        ("{{ modules.re.sub('[^a-z]', '_', 'a-b') }}{{ modules.itertools.chain([1], [2]) }}", "a_b[1, 2]"),
        ("{{ context['y'].name }}{{ context.get('nope') }}", "yNone"),
        ("{{ api.Relation.create(database='d', schema='s', identifier='i') }}", '"d"."s"."i"'),
        ("{{ api.Column('c', 'int').quoted }}{{ api.Column.translate_type('string') }}", '"c"TEXT'),
        ("{{ adapter.quote('c') }}{{ adapter.type() }}{{ target.type }}", '"c"duckdbduckdb'),
        ("{{ this.schema }}.{{ this.name }} {{ this.include(database=false) }}", 'main.m "main"."m"'),
        ("{{ this.quote(identifier=false) }} {{ this.without_identifier() }}", '"db"."main".m "db"."main"'),
        ("{{ this.information_schema('COLUMNS') }}", '"db".INFORMATION_SCHEMA.COLUMNS'),
        ("{{ graph.nodes['model.shop.m'].name }}{{ graph.sources | length }}", "m1"),
        (
            "{{ execute }}{{ dbt_version }}{{ project_name }}{{ selected_resources }}",
            "True1.11.0shop['model.shop.m']",
        ),
        ("{{ render('{{ 1 + 1 }}') }}{{ env_var('A', 'b') }}", "2b"),
        ("{{ adapter.dispatch('z', 'shop')() }}{{ adapter.dispatch('z')() }}", "duckduck"),
        ("{{ adapter.dispatch('w', 'other')() }}{{ other.v() }}", "wv"),
        ("{{ 'a' ~ 1 ~ none }}{{ '%s-%02d' % ('b', 3) }}{{ '{:>3}|'.format(4) }}", "a1Noneb-03  4|"),
        ("{% filter upper %}up{% endfilter %}{% set s %} t {% endset %}{{ s | trim }}", "UPt"),
        (
            "{{ config.get('x', 7) }}{{ config.require('materialized') }}{{ config.get('tags') }}",
            "7incremental[]",
        ),
        ("{{ var('a', 'b') }}{{ var.has_var('a') }}{{ var('n', 2) + 1 }}", "bFalse3"),
        ("{{ exceptions.warn('careful') }}ok", "ok"),
    ],
)
def test_dbts_context(text: str, sql: str) -> None:
    macros = {
        "x": f"{{% macro x() %}}{text}{{% endmacro %}}",
        "typed": "{% macro typed(a: str = 'q', b: list[dict[str]] = none) %}{{ a }}{{ b }}{% endmacro %}",
        "y": "{% macro y() %}<{{ caller() }}>{% endmacro %}",
        "default__z": "{% macro default__z() %}default{% endmacro %}",
        "duckdb__z": "{% macro duckdb__z() %}duck{% endmacro %}",
        "other.default__w": "{% macro default__w() %}w{% endmacro %}",
        "other.v": "{% macro v() %}v{% endmacro %}",
    }
    assert render("first", {"m": "{{ x() }}"}, macros).sql == sql


@pytest.mark.parametrize(
    "before",
    [
        "{% test t(model) %}{{ a }}{% endtest %}",
        "{% materialization t, adapter='duckdb', supported_languages=['sql'] %}a{% endmaterialization %}",
        "{% materialization t, default %}{{ a }}{% endmaterialization %}",
        "{% docs t %}a{% enddocs %}",
    ],
)
def test_dbts_other_blocks_parse_beside_a_macro(before: str) -> None:
    assert render("first", {"m": "{{ x() }}"}, {"x": before + "{% macro x() %}1{% endmacro %}"}).sql == "1"


def test_a_snapshot_block_is_its_body() -> None:
    assert render("first", {"m": "{% snapshot s %}select 1{% endsnapshot %}"}).sql == "select 1"


def test_a_package_wins_over_the_root_only_for_its_own_models() -> None:
    macros = {"x": "{% macro x() %}root{% endmacro %}", "other.x": "{% macro x() %}other{% endmacro %}"}
    own: Given = {"raw_code": "{{ x() }}"}
    theirs: Given = {"raw_code": "{{ x() }}", "package_name": "other"}
    assert render("first", {"m": own}, macros).sql == "root"
    assert render("first", {"m": theirs}, macros).sql == "other"


def test_dispatch_prefers_the_root_project_over_the_package() -> None:
    macros = {
        "default__w": "{% macro default__w() %}root{% endmacro %}",
        "other.duckdb__w": "{% macro duckdb__w() %}other{% endmacro %}",
    }
    assert render("first", {"m": "{{ adapter.dispatch('w', 'other')() }}"}, macros).sql == "root"


ARGUMENTS = "datepart, interval, from_date_or_timestamp"
DATEADD = {
    "dbt.dateadd": f"{{% macro dateadd({ARGUMENTS}) %}}"
    f"{{{{ adapter.dispatch('dateadd', 'dbt')({ARGUMENTS}) }}}}{{% endmacro %}}",
    "dbt.default__dateadd": f"{{% macro default__dateadd({ARGUMENTS}) %}}plain{{% endmacro %}}",
    "dbt_duckdb.duckdb__dateadd": f"{{% macro duckdb__dateadd({ARGUMENTS}) %}}duck{{% endmacro %}}",
}


@pytest.mark.parametrize(
    ("adapter", "sql", "substituted"),
    [
        (None, 'duck from "db"."main"."m"', ()),
        ("trino", 'date_add(\'day\', -1, d) from "db"."main"."m"', ("trino__dateadd",)),
        (
            "bigquery",
            "datetime_add(cast(d as datetime), interval -1 day) from `db`.`main`.`m`",
            ("bigquery__dateadd",),
        ),
        ("snowflake", 'plain from "db"."main"."m"', ("snowflake__dateadd",)),
    ],
)
def test_read_as_another_adapters_what_stands_in_is_named(
    adapter: str | None, sql: str, substituted: tuple[str, ...]
) -> None:
    known = read_manifest(
        encoded(document({"m": "{{ dbt.dateadd('day', -1, 'd') }} from {{ this }}"}, DATEADD)), adapter
    )
    rendering = render_model(known, known.find("m"), "first")
    assert (rendering.sql, rendering.substituted) == (sql, substituted)
    assert [f"{name}:" in rendering.warnings[0] for name in substituted] == [True] * len(substituted)


@pytest.mark.parametrize("adapter", sorted(_FORMS))
def test_every_stand_in_renders(adapter: str) -> None:
    names = {
        "dateadd": "'day', 1, 'd'",
        "datediff": "'a', 'b', 'day'",
        "date_trunc": "'day', 'd'",
        "current_timestamp": "",
    }
    parsed_with = "snowflake" if adapter == "duckdb" else "duckdb"
    calls = [
        f"{{{{ adapter.dispatch('{name}', 'dbt')({names[name]}) }}}}" for name in sorted(_FORMS[adapter])
    ]
    data = encoded(document({"m": "\n".join(calls)}, adapter=parsed_with))
    known = read_manifest(data, adapter)
    rendering = render_model(known, known.find("m"), "first")
    assert rendering.error is None
    assert rendering.substituted == tuple(f"{adapter}__{name}" for name in sorted(_FORMS[adapter]))
    assert "{" not in rendering.sql


@pytest.mark.parametrize(
    ("sql", "error", "line"),
    [
        (
            "select 1\nfrom {{ ref('gone') }}",
            "ref('gone'): the manifest holds no such model, or it is disabled",
            2,
        ),
        (
            "{{ ref('other', 'gone') }}",
            "ref('other.gone'): the manifest holds no such model, or it is disabled",
            1,
        ),
        ("\n\n{{ source('raw', 'gone') }}", "source('raw', 'gone'): the manifest holds no such source", 3),
        ("{{ gone() }}", "'gone' is undefined", 1),
        ("{{ other.gone() }}", "the manifest holds no macro other.gone", 1),
        ("{{ adapter.dispatch('gone')() }}", "adapter.dispatch('gone'): the manifest holds no such macro", 1),
        ("{{ exceptions.raise_compiler_error('no such day') }}", "no such day", 1),
        (
            "select 1\n{% block a %}x{% endblock %}",
            "its Jinja does not parse: a block is for templates that extend others, which dbt does not have",
            2,
        ),
        ("{{ config.require('gone') }}", "the model does not configure 'gone', which it needs", 1),
        ("a\n{% if %}", "its Jinja does not parse: Expected an expression, got 'end of statement block'", 2),
        ("a\n{% endif %}", "its Jinja does not parse: Encountered unknown tag 'endif'.", 2),
        ("{{ 1 / 0 }}", "its template fails: ZeroDivisionError: division by zero", 1),
        ("{{ return(1) }}", "calls return() outside a macro", 1),
        ("{{ ref() }}", "ref() takes a model's name, or a package and a name; it was given 0 values", 1),
        ("{{ 'a' | nope }}", "its Jinja does not parse: No filter named 'nope'.", 1),
        ("  ", "has no code", None),
    ],
)
def test_what_cannot_be_rendered_says_why_and_where(sql: str, error: str, line: int | None) -> None:
    known = manifest({"m": sql}, {"other.v": "{% macro v() %}v{% endmacro %}"})
    rendering = render_model(known, known.find("m"), "first")
    assert (rendering.error, rendering.error_line, rendering.sql) == (error, line, "")


def test_a_python_model_is_not_rendered() -> None:
    known = manifest({"m": {"raw_code": "def model(dbt, session): ...", "language": "python"}})
    assert render_model(known, known.find("m"), "first").error == "is a Python model"
