"""Every case that stands beside a rule is judged, by all rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import backfill_safety.checks
from backfill_safety.checks.registry import RULES

from .tiny import judge

ROOMS = Path(backfill_safety.checks.__file__).parent
FILES = sorted(ROOMS.glob("*/*.yml")) + sorted(
    (Path(__file__).parents[1] / "precision" / "cases").glob("*.yml")
)
CASES = [
    pytest.param(case, id=f"{file.stem}: {case['name']}")
    for file in FILES
    for case in yaml.safe_load(file.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("case", CASES)
def test_case(case: dict[str, Any]) -> None:
    found, not_judged = judge(case)
    loud = {code: severities & {"warn", "block"} for code, severities in found.items()}
    said = {code: severities for code, severities in loud.items() if severities}
    expected = {code: {severity} for code, severity in case["expect"].items()}
    assert said == {
        code: severities for code, severities in expected.items() if severities & {"warn", "block"}
    }
    assert all(found.get(code) == severities for code, severities in expected.items())
    assert not found.keys() & set(case.get("silent", ()))
    assert bool(not_judged) is case.get("not_judged", False), not_judged


def test_cases_are_many_and_half_of_them_correct() -> None:
    clean = [case for case in CASES if not case.values[0]["expect"]]
    looks = [case for case in CASES if case.values[0].get("looks_like")]
    assert len(CASES) >= 150
    assert len(looks) >= len(CASES) * 0.4
    assert clean


def test_names_are_unique() -> None:
    names = [case.id for case in CASES]
    assert len(names) == len(set(names))


def test_every_rule_of_the_audit_has_a_case_that_it_raises() -> None:
    raised = {code for case in CASES for code in case.values[0]["expect"]}
    asked = {code for code, rule in RULES.items() if rule.judge is not None}
    assert asked - raised == set()
