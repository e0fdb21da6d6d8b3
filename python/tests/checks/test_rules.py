"""The rules as a set: every code is there, documented, and where it belongs."""

from __future__ import annotations

import pytest

from backfill_safety.checks.registry import RULES
from backfill_safety.checks.rule import Doc, Rule

SCOPES = {
    "BF101": "ap", "BF102": "r", "BF103": "a", "BF104": "ar", "BF105": "arp", "BF106": "r", "BF107": "a", "BF108": "a", "BF109": "ar",
    "BF110": "arp", "BF201": "arp", "BF202": "a", "BF203": "ar", "BF204": "arp", "BF205": "a", "BF206": "a", "BF207": "a", "BF208": "r",
    "BF209": "ap", "BF210": "ar", "BF211": "p", "BF212": "p", "BF213": "ap", "BF301": "ar", "BF302": "r", "BF303": "r", "BF304": "rp",
    "BF305": "arp", "BF401": "ap", "BF402": "ap", "BF403": "r", "BF404": "p", "BF501": "ar", "BF502": "a", "BF503": "ap", "BF504": "a",
    "BF505": "pr", "BF601": "ar", "BF602": "ap", "BF603": "ap", "BF604": "ap", "BF605": "a", "BF606": "pr", "BF607": "p",
}  # fmt: skip
OWN = {"BF110", "BF111"}
"""Raised by the judge and the audit themselves, not by a function from facts."""


def test_every_code_is_there_with_its_scope() -> None:
    assert {code: set(RULES[code].scopes) for code in SCOPES} == {
        code: set(scopes) for code, scopes in SCOPES.items()
    }


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_rule_is_documented_in_its_room(rule: Rule) -> None:
    assert rule.doc.summary.endswith(".")
    assert "\n" not in rule.doc.summary
    assert "```" in rule.doc.example
    room = ("bounded", "idempotent", "isolated", "watermark", "cost", "reversible")[rule.check - 1]
    assert rule.check.name.lower() == room
    assert rule.name == rule.name.lower().replace("_", "-")


def test_what_the_audit_asks() -> None:
    asked = {code for code, rule in RULES.items() if rule.judge is not None}
    assert asked == {code for code, scopes in SCOPES.items() if "a" in scopes} - OWN


def test_a_text_that_lacks_a_part_is_refused() -> None:
    with pytest.raises(ValueError, match="What it does"):
        Doc.parse("A summary.\n\n## Why it is bad\nIt is.")
