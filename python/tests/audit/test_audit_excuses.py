"""An excuse counts with a reason and until its day, and is told when it does not."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from small_manifest import manifest, node

from backfill_safety.audit.excuses import excuse
from backfill_safety.checks.finding import Finding, Severity
from backfill_safety.manifest import Node

CODES = {"BF201": "arp", "BF501": "ar", "BF304": "rp"}
TODAY = date(2026, 6, 1)


def model(allow: Any, **more: Any) -> Node:
    return manifest(node("a", config={"meta": {"backfill_safety": {"allow": allow}}}, **more)).models[0]


def found(code: str = "BF201") -> Finding:
    return Finding(
        code=code,
        check=int(code[2]),
        severity=Severity.BLOCK,
        model="model.shop.a",
        path="models/marts/a.sql",
        line=3,
        message="m",
        alternative="",
    )


@pytest.mark.parametrize("until", [None, "2026-06-01", "2027-01-01", "2027-01-01T00:00:00"[:10]])
def test_an_excuse_takes_its_rule_away_and_no_other(until: str | None) -> None:
    entry = {"rule": "BF201", "reason": "a log", **({"until": until} if until else {})}
    told = excuse(model([entry]), [found(), found("BF501")], TODAY, CODES, complete=True)
    assert (told.findings, told.number, told.complaints) == ((found("BF501"),), 1, ())


@pytest.mark.parametrize(
    ("allow", "said"),
    [
        ([{"rule": "BF201", "reason": "a log", "until": "2026-05-31"}], "BF201 expired after 2026-05-31"),
        ([{"rule": "BF201"}], "BF201 is excused without a reason"),
        ([{"rule": "BF201", "reason": " "}], "BF201 is excused without a reason"),
        ([{"rule": "BF202", "reason": "x"}], "there is no rule 'BF202'; did you mean BF201?"),
        ([{"reason": "x"}], "there is no rule None"),
        ([{"rule": "BF201", "reason": "x", "till": "2027-01-01"}], "unknown key 'till'; did you mean until?"),
        (
            [{"rule": "BF201", "reason": "x", "until": "soon"}],
            "until: 'soon' is not a date such as 2027-06-30",
        ),
        (["BF201"], "'BF201' is not a mapping of rule, reason and until"),
        ("BF201", "'BF201' is not a mapping"),
    ],
)
def test_an_excuse_that_does_not_count_is_told(allow: Any, said: str) -> None:
    told = excuse(model(allow), [found()], TODAY, CODES, complete=True)
    assert told.findings == (found(),)
    assert said in told.complaints[0].message
    assert [c.code for c in told.complaints] == ["BF111"]
    assert told.complaints[0].severity is Severity.WARN


def test_an_unused_excuse_is_told_where_it_could_have_been_used() -> None:
    entries = [{"rule": rule, "reason": "x"} for rule in ("BF501", "BF201", "BF304")]
    told = excuse(model(entries), [found("BF501")], TODAY, CODES, complete=True)
    assert [c.message[:22] for c in told.complaints] == ["the excuse for BF201 e"]
    assert excuse(model(entries), [found("BF501")], TODAY, CODES, complete=False).complaints == ()


def test_a_complaint_points_at_the_excuse() -> None:
    bad = [{"rule": "BF201"}]
    told = excuse(model(bad, patch_path="shop://models/schema.yml"), [], TODAY, CODES, complete=False)
    assert (told.complaints[0].path, told.complaints[0].line) == ("models/schema.yml", 0)
    code = "{{ config(\n  meta={'backfill_safety': {}}) }}"
    told = excuse(model(bad, raw_code=code), [], TODAY, CODES, complete=False)
    assert (told.complaints[0].path, told.complaints[0].line) == ("models/marts/a.sql", 2)


@pytest.mark.parametrize("meta", [None, [], "x", {"backfill_safety": None}, {"backfill_safety": {}}])
def test_a_meta_without_excuses_changes_nothing(meta: Any) -> None:
    plain = manifest(node("a", config={"meta": meta})).models[0]
    told = excuse(plain, [found()], TODAY, CODES, complete=True)
    assert (told.findings, told.number, told.complaints) == ((found(),), 0, ())
