"""The list of all rules."""

from __future__ import annotations

from itertools import groupby

import msgspec

from backfill_safety.checks.registry import RULES
from backfill_safety.report.rule_page import spelled
from backfill_safety.report.table import wrap

WIDTH = 80


def as_text() -> str:
    """A paragraph a rule, under the check it belongs to, 80 columns wide."""
    lines: list[str] = []
    for check, rules in groupby(RULES.values(), key=lambda rule: rule.check):
        lines += ["", f"{int(check)} {check.name.lower()}"]
        for rule in rules:
            first, *rest = wrap(f"{spelled(rule)}: {rule.doc.summary}", WIDTH - 20)
            lines.append(f"  {rule.code}  {rule.severity.value:<5} {rule.scopes:<3}  {first}")
            lines += [" " * 20 + line for line in rest]
    lines += ["", "a manifest audit, r review of scripts and jobs, p preflight of the operation"]
    return "\n".join(lines[1:]) + "\n"


def as_json() -> str:
    """A list of objects."""
    told = [
        {
            "code": rule.code,
            "name": spelled(rule),
            "check": int(rule.check),
            "severity": rule.severity,
            "scopes": [letter for letter in "arp" if letter in rule.scopes],
            "summary": " ".join(rule.doc.summary.split()),
        }
        for rule in RULES.values()
    ]
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode() + "\n"
