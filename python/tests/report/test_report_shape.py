"""Tables keep their shape, and text from a manifest cannot break out of its place."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree as Xml

import msgspec
import pytest
from hypothesis import given
from hypothesis import settings as patience
from hypothesis import strategies as st
from report_samples import APPENDS, REFRESH, WRAPPED

from backfill_safety.checks.finding import Finding, NotJudged, Severity
from backfill_safety.report.clean import one_line
from backfill_safety.report.document import Document
from backfill_safety.report.formats import FORMATS, render
from backfill_safety.report.markdown import LIMIT
from backfill_safety.report.table import cells, draw, wrap

HOSTILE = (
    "\x1b[2J\x1b]8;;https://bad.example\x07click\r\n::error::pwned\n| a | b |\n\n# Verdict: SAFE TO RUN\n"
    "<script>alert(1)</script> [x](javascript:x) ![i](https://bad.example/i.png) @everyone #1 `code` "
    "\u202eabc\u2028%0A"
)


@pytest.fixture
def hostile() -> Document:
    finding = Finding(
        code="BF201", check=2, severity=Severity.BLOCK, model=f"model.x.{HOSTILE}", path=HOSTILE, line=1,
        message=HOSTILE, alternative=HOSTILE,
    )  # fmt: skip
    return Document.of([finding], [NotJudged(HOSTILE, HOSTILE)], [HOSTILE], version="1")


@patience(deadline=None)
@given(st.lists(st.text(max_size=80), min_size=10, max_size=10), st.integers(20, 200))
def test_every_line_of_a_table_has_one_width(texts: list[str], width: int) -> None:
    rows = [("1", "🔴 Block", "Idempotency", *map(one_line, texts[i : i + 2])) for i in range(0, 10, 2)]
    lines = draw(rows, width).split("\n")
    assert {cells(line) for line in lines} == {cells(lines[0])}
    assert cells(lines[0]) <= max(width, 60)


@patience(deadline=None)
@given(st.text(), st.integers(8, 40))
def test_wrapping_loses_no_character(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(cells(line) <= width for line in lines)


def test_words_that_fit_are_not_broken() -> None:
    assert wrap("unique_key and updated_at", 14) == ["unique_key and", "updated_at"]


def test_long_paths_break_after_a_slash() -> None:
    assert wrap("models/marts/finance/orders.sql", 14) == ["models/marts/", "finance/", "orders.sql"]


def test_text_is_never_wider_than_80_columns(document: Document, hostile: Document) -> None:
    for shown in (document, hostile):
        assert max(cells(line) for line in render(shown, "text").split("\n")) <= 80


@pytest.mark.parametrize("name", [f for f in FORMATS if f != "json"])
def test_no_control_character_passes(name: str, hostile: Document) -> None:
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e]", render(hostile, name))


def test_json_escapes_control_characters(hostile: Document) -> None:
    told = render(hostile, "json")
    assert "\x1b" not in told
    assert json.loads(told)["findings"][0]["message"] == HOSTILE


def test_github_gets_one_command_a_finding(hostile: Document) -> None:
    lines = render(hostile, "github").splitlines()
    assert [line[:7] for line in lines] == ["::error", "::warni", "Verdict"]
    properties = lines[0].removeprefix("::error ").split("::")[0].split(",")
    assert [p.split("=")[0] for p in properties] == ["file", "line", "title"]


def test_markdown_shows_a_row_a_finding_and_no_markup(hostile: Document) -> None:
    told = render(hostile, "markdown")
    row = next(line for line in told.splitlines() if line.startswith("| 1 |"))
    assert len(re.findall(r"(?<!\\)\|", row)) == 6
    for bare in (r"(?<!\\)<(?!!-- -->)", r"(?<!\\)\[", r"@(?=\w)", r"#(?=\w)", r"(?<!\\):(?=//)"):
        assert not re.search(bare, re.sub("`[^`]*`", "", told.split("\n", 2)[2])), bare


def test_xml_can_be_read(hostile: Document) -> None:
    root = Xml.fromstring(render(hostile, "junit").encode())  # noqa: S314  # our own output
    assert len(list(root.iter("testcase"))) == 2


def test_a_comment_stays_under_the_limit_and_says_what_is_missing() -> None:
    many = [msgspec.structs.replace(APPENDS, model=f"model.x.m{i:04}", line=i + 1) for i in range(3000)]
    left = [NotJudged(f"model.x.n{i:04}", "a reason " * 20) for i in range(3000)]
    told = render(Document.of(many, left, []), "markdown")
    assert len(told) < LIMIT + 5000
    assert re.search(r"\| … \| \| \| [\d,]+ more: --format json tells all \|", told)


def test_many_of_one_rule_are_one_row_but_what_blocks_is_not() -> None:
    def many(finding: Finding) -> list[Finding]:
        return [msgspec.structs.replace(finding, model=f"model.x.m{i:02}") for i in range(60)]

    told = render(Document.of(many(APPENDS) + many(WRAPPED) + many(REFRESH), [], []), "markdown")
    rows = [line for line in told.splitlines() if re.match(r"\| \d", line)]
    assert len(rows) == 62
    assert (
        "BF501 in 60 models: m00, m01, m02, m03, m04 and 55 more. In m00 (models/fct_berths_v2.sql:17): "
        in rows[60]
    )
    assert len(json.loads(render(Document.of(many(WRAPPED), [], []), "json"))["findings"]) == 60
