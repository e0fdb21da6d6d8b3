"""The tidy check of Jinja SQL finds what it says it finds, and leaves tidy files alone."""

from __future__ import annotations

from pathlib import Path

import pytest
import tidy_sql

TIDY = """\
{#- What it does. -#}
{% macro add(left, right=1) %}
    {%- do return(left + right) -%}
{% endmacro %}

{% macro default__add(left, right) %}
    {{ left }} + {{ right }}
{% endmacro %}
"""


def problems(file: Path, text: str) -> list[str]:
    file.write_text(text, encoding="utf-8")
    return [message for _, message in tidy_sql.problems(file)]


@pytest.fixture
def macro_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tidy_sql, "MACROS", tmp_path)
    return tmp_path / "add.sql"


def test_a_tidy_file_is_left_alone(macro_file: Path) -> None:
    assert problems(macro_file, TIDY) == []


@pytest.mark.parametrize(
    ("tidy", "untidy", "message"),
    [
        ("    {{ left }}", "\t{{ left }}", "holds a tab; indent by four spaces"),
        ("{{ right }}", "{{ right }} ", "ends in blanks"),
        ("    {{ left }}", "   {{ left }}", "is indented by 3 spaces; by a multiple of four"),
        ("{{ left }}", "{{left }}", "has no blank after {{"),
        ("{%- do", "{%-do", "has no blank after {%-"),
        ("-%}\n{% end", "-%}\n{%end", "has no blank after {%"),
        ("(left + right) -%}", "(left + right)-%}", "has no blank before -%}"),
        (
            "(left, right=1)",
            "(left, right=1",
            "does not parse: unexpected '}', expected ')'",
        ),
        ("default__add", "subtract", "subtract is the second public macro of the file, after add"),
        ("\n\n{% macro", "\n{% macro", "no blank line follows the macro"),
        (
            "\n\n{% macro",
            "\n\n\n\n{% macro",
            "begins three blank lines in a row; at most two, between macros",
        ),
        ("(left + right)", "(left + rigth)", "rigth is read and never set"),
        ("    {%- do", "    {%- set both = left -%}\n    {%- do", "both is set and never read"),
        ("What it does.", "What it does" + "." * 140, "has 160 characters; at most 140"),
    ],
)
def test_what_is_untidy_is_found(macro_file: Path, tidy: str, untidy: str, message: str) -> None:
    assert tidy in TIDY
    assert problems(macro_file, TIDY.replace(tidy, untidy, 1)) == [message]


@pytest.mark.parametrize("text", [TIDY.rstrip("\n"), TIDY + "\n"])
def test_the_file_ends_in_one_line_break(macro_file: Path, text: str) -> None:
    assert problems(macro_file, text) == ["the file does not end in exactly one line break"]


def test_the_blocks_of_dbt_parse(macro_file: Path) -> None:
    test = "{% test not_odd(model, column_name) %}\n    select 1\n{% endtest %}\n"
    assert problems(macro_file, test) == []
