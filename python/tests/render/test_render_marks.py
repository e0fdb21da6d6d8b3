"""Values that do not come from the model's text: how they show, flow and compare."""

from __future__ import annotations

from typing import Any

import pytest
from synthetic import manifest

from backfill_safety.render import Mark, Project, Renderer, Rendering


def render(
    sql: str, branch: Any = "live", given: dict[str, Any] | None = None, project: Project | None = None
) -> Rendering:
    known = manifest({"m": sql, "up": "select 1"})
    rendering = Renderer(known, given, project or Project()).render(known.find("m"), branch)
    assert rendering.error is None, rendering.error
    return rendering


START = "where d >= '{{ var('start') }}'"


def test_a_var_without_a_value_leaves_its_mark() -> None:
    rendering = render(START)
    assert rendering.sql == rendering.marked == "where d >= '__var_start__'"
    assert rendering.marks == (Mark("__var_start__", "var", "start", None),)
    assert rendering.unknowns == rendering.marks
    assert rendering.vars_read == {"start": None}


@pytest.mark.parametrize(
    ("given", "project", "sql"),
    [
        ({"start": "2024-01-01"}, Project(), START),
        ({}, Project(vars={"start": "2024-01-01"}), START),
        ({}, Project(vars={"start": "2023-01-01", "shop": {"start": "2024-01-01"}}), START),
        ({"start": "2024-01-01"}, Project(vars={"start": "2023-01-01"}), START),
        ({}, Project(packages={"shop": {"start": "2024-01-01"}}), START),
        ({}, Project(), "where d >= '{{ var('start', '2024-01-01') }}'"),
        ({}, Project(vars={"start": "{{ '2024' }}-01-01"}), START),
    ],
)
def test_a_var_with_a_value_shows_it_and_is_marked(given: dict[str, Any], project: Project, sql: str) -> None:
    rendering = render(sql, given=given, project=project)
    assert rendering.sql == "where d >= '2024-01-01'"
    assert rendering.marked == "where d >= '__var_start__'"
    assert rendering.marks == (Mark("__var_start__", "var", "start", "2024-01-01"),)
    assert rendering.unknowns == ()
    assert rendering.vars_read == {"start": "2024-01-01"}


@pytest.mark.parametrize(
    ("expression", "sql", "marked"),
    [
        ("var('d')", "2024-01-01", "__var_d__"),
        ("var('d') ~ ' 00:00'", "2024-01-01 00:00", "__var_d__ 00:00"),
        ("\"date '\" ~ var('d') ~ \"'\"", "date '2024-01-01'", "date '__var_d__'"),
        ("\"date '\" + var('d') + \"'\"", "date '2024-01-01'", "date '__var_d__'"),
        ("\"date '{}'\".format(var('d'))", "date '2024-01-01'", "date '__var_d__'"),
        ("\"date '%s'\" % var('d')", "date '2024-01-01'", "date '__var_d__'"),
        ("\"date '%s'\" | format(var('d'))", "date '2024-01-01'", "date '__var_d__'"),
        ("'date @'.replace('@', var('d'))", "date 2024-01-01", "date __var_d__"),
        ("['a', var('d')] | join(', ')", "a, 2024-01-01", "a, __var_d__"),
        ("var('d') | upper | trim", "2024-01-01", "__var_d__"),
        ("var('d').replace('-', '')", "20240101", "__var_d__"),
        ("var('d')[:4]", "2024", "2024"),
        ("var('d').split('-')[0]", "2024", "__var_d__"),
        ("var('d') == '2024-01-01'", "True", "True"),
        ("var('n') + 1", "8", "__var_n__"),
        ("-var('n')", "-7", "__var_n__"),
        ("var('n') | int * 2", "14", "__var_n__"),
        ("var('l')[1]", "b", "__var_l__"),
        ("var('l') | join('-')", "a-b", "__var_l__-__var_l_2__"),
        ("inner(var('d'))", "<2024-01-01>", "<__var_d__>"),
        (
            "modules.datetime.datetime.strptime(var('d'), '%Y-%m-%d').strftime('%d.%m.')",
            "01.01.",
            "__var_d__",
        ),
        (
            "modules.datetime.date.fromisoformat(var('d')) + modules.datetime.timedelta(days=3)",
            "2024-01-04",
            "__var_d__",
        ),
        ("tojson([var('d')])", '["2024-01-01"]', '["__var_d__"]'),
        ("env_var('E', 'x')", "x", "__env_var_e__"),
        ("target.schema", "main", "__target_schema__"),
    ],
)
def test_known_values_keep_their_origin(expression: str, sql: str, marked: str) -> None:
    given = {"d": "2024-01-01", "n": 7, "l": ["a", "b"]}
    known = manifest(
        {"m": f"{{{{ {expression} }}}}"}, {"inner": "{% macro inner(x) %}<{{ x }}>{% endmacro %}"}
    )
    rendering = Renderer(known, given, Project()).render(known.find("m"), "live")
    assert (rendering.error, rendering.sql, rendering.marked) == (None, sql, marked)


@pytest.mark.parametrize(
    ("expression", "sql"),
    [
        ("var('u')", "__var_u__"),
        ("var('u') | int", "__var_u__"),
        ("var('u') * 2 - 1", "__var_u__"),
        ("-var('u')", "-__var_u__"),
        ("var('u').replace('-', '') | upper", "__var_u__"),
        ("var('u').a['b'](3)", "__var_u__"),
        ("'a' ~ var('u')", "a__var_u__"),
        ("'%s!' % var('u')", "%s!" if False else "__var_u__!"),
        ("'{}!'.format(var('u'))", "__var_u__!"),
        ("[var('u'), 1] | join(',')", "__var_u__,1"),
        ("var('u') == 1", "False"),
        ("var('u') != 1", "True"),
        ("1 < var('u')", "False"),
        ("var('u') > 0", "True"),
        ("var('u') | length > 0", "True"),
        ("var('u') is none", "False"),
        ("var('u') in [1, 2]", "False"),
        ("'a' in var('u')", "False"),
        ("not var('u')", "False"),
        ("var('u').startswith('dev')", "False"),
        ("range(var('u')) | list", "['__var_u__']"),
        ("modules.datetime.datetime.strptime(var('u'), '%Y')", "__var_u__"),
        ("modules.datetime.timedelta(days=var('u'))", "__var_u__"),
        ("var('u').items() | list", "[('__var_u__', '__var_u__')]"),
        ("var('u') | map(attribute='x') | list", "['__var_u__']"),
        ("run_query('select 1').columns[0].values()", "__query_1__"),
        (
            "run_query('a').rows ~ run_query('b').rows ~ run_query('a').rows",
            "__query_1____query_2____query_1__",
        ),
        ("load_result('x')['data'][0][0]", "__query_1__"),
        ("adapter.get_columns_in_relation(ref('up')) | map(attribute='name') | join(', ')", "__columns_1__"),
        ("target.user", "__target_user__"),
        ("flags.SOMETHING", "__flag_something__"),
        ("env_var('SECRET')", "__env_var_secret__"),
        ("results", "__result_what_only_the_run_itself_knows__"),
    ],
)
def test_unknown_values_flow_and_never_explode(expression: str, sql: str) -> None:
    rendering = render(f"{{{{ {expression} }}}}")
    assert rendering.sql == sql
    assert all(m.value is None for m in rendering.marks)


def test_a_loop_over_an_unknown_list_shows_its_body_once() -> None:
    rendering = render(
        "select {% for a, b in var('pairs') %}{{ a }} as {{ b }}{{ ',' if not loop.last }}{% endfor %}"
    )
    assert rendering.sql == "select __var_pairs__ as __var_pairs__"


def test_a_package_var_without_a_value_is_empty_in_conditions_and_loops() -> None:
    sql = "{% if var('more') %}x{% endif %}{% for c in var('more') %}{{ c }}{% endfor %}{{ var('more') }}"
    known = manifest({"m": {"raw_code": sql, "package_name": "other"}})
    rendering = Renderer(known).render(known.find("m"), "live")
    assert rendering.sql == "__var_more__"
    assert rendering.marks[0].tested


@pytest.mark.parametrize(
    ("test", "tested"),
    [
        ("{% if var('u') %}{% endif %}", True),
        ("{% if var('u') == 'x' %}{% endif %}", True),
        ("{{ var('u') }}", False),
    ],
)
def test_it_is_known_when_a_condition_hung_on_an_unknown_value(test: str, tested: bool) -> None:
    assert [m.tested for m in render(test).marks] == [tested]


@pytest.mark.parametrize(
    ("test", "sql"),
    [
        ("target.name == 'prod'", "True"),
        ("target.name != 'prod'", "False"),
        ("target.name in ('dev', 'ci')", "False"),
        ("target.name in ['production', 'staging']", "True"),
        ("'prod' == target.name", "True"),
        ("target.name | lower == 'prod'", "True"),
        ("target['name'] == 'dev'", "False"),
    ],
)
def test_the_target_is_taken_as_production_and_that_is_said(test: str, sql: str) -> None:
    rendering = render(f"{{{{ {test} }}}}")
    assert rendering.sql == sql
    assert rendering.warnings == (
        "the target is taken as production: its name is in the profile, not in the manifest",
    )


@pytest.mark.parametrize(
    ("expression", "sql"),
    [
        ("run_started_at.strftime('%Y-%m-%d')", "2026-03-04"),
        ("run_started_at", "2026-03-04 05:06:07.123456+00:00"),
        ("(run_started_at - modules.datetime.timedelta(3)).date()", "2026-03-01"),
        ("modules.datetime.datetime.now().strftime('%H')", "05"),
        ("modules.datetime.date.today().replace(day=1).isoformat()", "2026-03-01"),
        ("modules.datetime.datetime.utcnow().isoformat()", "2026-03-04T05:06:07.123456"),
        ("run_started_at.astimezone(modules.pytz.timezone('Asia/Tokyo')).strftime('%H:%M')", "14:06"),
        ("modules.pytz.utc.localize(modules.datetime.datetime.now())", "2026-03-04 05:06:07.123456+00:00"),
    ],
)
def test_the_clock_stands_still_and_is_marked(expression: str, sql: str) -> None:
    rendering = render(f"'{{{{ {expression} }}}}'")
    assert rendering.sql == f"'{sql}'"
    assert rendering.marked == "'__clock_now__'"
    assert rendering.marks == (Mark("__clock_now__", "clock", "now", sql),)


def test_two_values_of_one_origin_have_two_marks() -> None:
    day = "modules.datetime.timedelta(days=1)"
    rendering = render(
        f"between {{{{ (run_started_at - {day}).date() }}}} and {{{{ run_started_at.date() }}}}"
    )
    assert rendering.sql == "between 2026-03-03 and 2026-03-04"
    assert rendering.marked == "between __clock_now__ and __clock_now_2__"
    assert {m.text: m.value for m in rendering.marks} == {
        "__clock_now__": "2026-03-03",
        "__clock_now_2__": "2026-03-04",
    }


def test_a_query_is_a_mark_that_names_its_sql() -> None:
    call = "{% call statement('s', fetch_result=True) %} select max(d) from {{ this }} {% endcall %}"
    sql = call + "{{ load_result('s').table.columns[0][0] }}"
    rendering = render(sql)
    assert rendering.sql == "__query_1__"
    assert rendering.marks == (Mark("__query_1__", "query", 'select max(d) from "db"."main"."m"', None),)


def test_marks_in_ignores_case() -> None:
    rendering = render("{{ var('a') }} {{ var('b') }}")
    assert [m.name for m in rendering.marks_in("X.__VAR_B__")] == ["b"]


def test_a_template_cannot_forge_a_mark() -> None:
    rendering = render("{{ var('d', '1') }}\ue0000\ue001drop\ue002{{ '\\ue0000\\ue001x\\ue002' }}")
    assert not {"\ue000", "\ue001", "\ue002"} & set(rendering.sql)
    assert [m.name for m in rendering.marks] == ["d"]


def test_a_batch_of_microbatch_is_unknown() -> None:
    config = {"incremental_strategy": "microbatch", "event_time": "t", "batch_size": "day"}
    known = manifest({"m": {"raw_code": "{{ model.batch.event_time_start }}", "config": config}})
    assert Renderer(known).render(known.find("m"), "live").sql == "__batch_event_time_start__"
