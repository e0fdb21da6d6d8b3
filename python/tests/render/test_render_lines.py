"""Every line of the SQL leads back to the line of the model's file that it came from."""

from __future__ import annotations

import pytest
from synthetic import manifest

from backfill_safety.render import render_model

MACROS = {"three": "{% macro three() %}a\nb\nc{% endmacro %}"}


@pytest.mark.parametrize(
    ("sql", "lines"),
    [
        ("a\nb\nc", [("a", 1), ("b", 2), ("c", 3)]),
        ("{{ config(x=1) }}\n\na\n{{ this.name }}\nb", [("a", 3), ("m", 4), ("b", 5)]),
        ("a {{ three() }} z\nb", [("a a", 1), ("b", 1), ("c z", 1), ("b", 2)]),
        ("{% if false %}\nx\n{% endif %}\na", [("a", 4)]),
        ("{%- if true -%}\n\n  a\n\n{%- endif -%}\n\nb", [("ab", 3)]),
        ("{% for i in [1, 2] %}\nv{{ i }}\n{% endfor %}\nz", [("v1", 2), ("v2", 2), ("z", 4)]),
        ("{# a\ncomment #}\na", [("a", 3)]),
        ("{% set x %}\na\n{% endset %}\n\n{{ x }}", [("a", 5)]),
        ("{% call wrap() %}\na\n{% endcall %}\nb", [("a", 1), ("b", 4)]),
        ("{% filter upper %}\na\n{% endfilter %}", [("A", 1)]),
        ("{% raw %}\n{{ a }}\n{% endraw %}", [("{{ a }}", 2)]),
    ],
)
def test_lines(sql: str, lines: list[tuple[str, int]]) -> None:
    known = manifest({"m": sql}, {**MACROS, "wrap": "{% macro wrap() %}{{ caller() }}{% endmacro %}"})
    rendering = render_model(known, known.find("m"), "first")
    shown = [
        (text.strip(), rendering.line_of(number))
        for number, text in enumerate(rendering.sql.split("\n"), start=1)
        if text.strip()
    ]
    assert shown == lines
    assert len(rendering.lines) == rendering.sql.count("\n") + 1
    assert rendering.line_of(0) is rendering.line_of(999) is None


@pytest.mark.parametrize(
    "sql",
    ["\nselect x\nfrom {{ ref('e') }}\nwhere y", "\nwith a as (\nselect x from {{ ref('e') }}\n)\nselect y"],
)
def test_inlined_ctes_shift_lines_and_have_none(sql: str) -> None:
    known = manifest(
        {"m": sql, "e": {"raw_code": "select 1\n, 2\n, 3", "config": {"materialized": "ephemeral"}}}
    )
    rendering = render_model(known, known.find("m"), "first")
    own = sql.split("\n")
    for number, text in enumerate(rendering.sql.split("\n"), start=1):
        line = rendering.line_of(number)
        if text in (", 2", ", 3", "select 1"):
            assert line is None
        elif text in own and text:
            assert line == own.index(text) + 1
    assert rendering.line_of(rendering.sql.count("\n") + 1) == len(own)
    assert len(rendering.lines) == rendering.sql.count("\n") + 1


def test_a_marked_value_of_several_lines_keeps_the_lines_together() -> None:
    known = manifest({"m": "a\n{{ var('x', 'p\nq\nr') }}\nb"})
    rendering = render_model(known, known.find("m"), "first")
    assert rendering.sql == "a\np\nq\nr\nb"
    assert rendering.marked == "a\n__var_x__\n\n\nb"
    assert rendering.lines == (1, 2, 2, 2, 5)
