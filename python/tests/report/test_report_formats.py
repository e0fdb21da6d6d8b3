"""What each format looks like, to the letter, and that it keeps to its standard."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as Xml

import jsonschema
import msgspec
import pytest

from backfill_safety.report import as_json
from backfill_safety.report.document import Document
from backfill_safety.report.formats import FORMATS, render

Snapshot = Callable[[str, str], None]
SARIF_SCHEMA = json.loads(
    (Path(__file__).parent / "schemas" / "sarif-2.1.0.json").read_text(encoding="utf-8")
)
SUFFIX = {
    "text": "txt",
    "markdown": "md",
    "json": "json",
    "sarif": "sarif",
    "github": "github.txt",
    "junit": "xml",
}


@pytest.mark.parametrize("name", FORMATS)
def test_looks_as_it_did(name: str, document: Document, clean: Document, snapshot: Snapshot) -> None:
    snapshot(f"findings.{SUFFIX[name]}", render(document, name))
    snapshot(f"clean.{SUFFIX[name]}", render(clean, name))


def test_text_uses_the_width_it_is_given(document: Document, snapshot: Snapshot) -> None:
    snapshot("findings-140.txt", render(document, "text", 140))


def test_json_keeps_to_the_committed_schema(document: Document, clean: Document) -> None:
    file = Path(as_json.__file__).with_name("findings.schema.json")
    assert file.read_text(encoding="utf-8") == as_json.schema()
    for shown in (document, clean):
        jsonschema.validate(json.loads(render(shown, "json")), json.loads(as_json.schema()))
        assert msgspec.json.decode(render(shown, "json"), type=as_json.JsonReport) == as_json.report_of(shown)


def test_json_has_the_promised_keys(document: Document) -> None:
    told = json.loads(render(document, "json"))
    assert list(told) == ["verdict", "findings", "not_judged", "summary"]
    assert " ".join(told["findings"][0]) == "code check severity model path line message alternative"
    assert list(told["not_judged"][0]) == ["model", "reason"]


def test_json_that_a_terminal_reads_moves_no_cursor(document: Document) -> None:
    odd = msgspec.structs.replace(
        document.findings[0], model="model.shop.a\x9b31m\u202eb", message="c\x7f\u2066d"
    )
    told = render(msgspec.structs.replace(document, findings=(odd,)), "json")
    assert not set(told) & set("\x7f\x9b\u202e\u2066")
    assert [json.loads(told)["findings"][0][key] for key in ("model", "message")] == [odd.model, odd.message]


def test_sarif_keeps_to_the_standard(document: Document, clean: Document) -> None:
    for shown in (document, clean):
        jsonschema.validate(json.loads(render(shown, "sarif")), SARIF_SCHEMA)


def test_sarif_has_one_rule_a_code_and_true_lines(document: Document) -> None:
    twice = Document.of([*document.findings, *document.findings], [], [])
    run = json.loads(render(twice, "sarif"))["runs"][0]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert ids == sorted({f.code for f in document.findings})
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
    places = {
        (r["ruleId"], r["locations"][0]["physicalLocation"].get("region", {}).get("startLine"))
        for r in run["results"]
    }
    assert places == {("BF201", 3), ("BF501", 17), ("BF101", 1), ("BF602", None)}


def test_sarif_knows_a_result_again_when_its_line_moves(document: Document) -> None:
    moved = Document.of([msgspec.structs.replace(f, line=f.line + 5) for f in document.findings], [], [])

    def prints(shown: Document) -> list[object]:
        return [r["partialFingerprints"] for r in json.loads(render(shown, "sarif"))["runs"][0]["results"]]

    assert prints(moved) == prints(document)


def test_junit_counts_what_it_holds(document: Document) -> None:
    root = Xml.fromstring(render(document, "junit").encode())  # noqa: S314  # our own output
    for suite in root:
        cases = suite.findall("testcase")
        assert int(suite.get("tests", -1)) == len(cases)
        assert int(suite.get("failures", -1)) == sum(c.find("failure") is not None for c in cases)
        assert int(suite.get("skipped", -1)) == sum(c.find("skipped") is not None for c in cases)
    failed = [c.get("name") for c in root.iter("testcase") if c.find("failure") is not None]
    assert failed == ["BF201 fct_daily_arrivals", "BF602 models/stock of today.sql"]


def test_paths_are_told_as_seen_from_where_the_command_runs(document: Document) -> None:
    below = msgspec.structs.replace(document, root="dbt/harbour", project="harbour")

    def seen(path: str, model: str = "") -> str:
        return below.file(msgspec.structs.replace(document.findings[0], path=path, model=model))

    assert seen("models/a.sql") == "dbt/harbour/models/a.sql"
    assert seen("../../shared/b.sql") == "shared/b.sql"
    assert seen("../../../b.sql") == "../b.sql"
    assert seen("models\\a.sql", "model.harbour.a") == "dbt/harbour/models/a.sql"
    assert seen("models/a.sql", "model.kit.a") == "dbt/harbour/dbt_packages/kit/models/a.sql"
    assert seen("") == ""
    assert "file=dbt/harbour/models/fct_berths_v2.sql,line=17" in render(below, "github")
    assert '"uri": "dbt/harbour/models/fct_berths_v2.sql"' in render(below, "sarif")
