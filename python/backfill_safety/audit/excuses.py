"""`meta.backfill_safety.allow`: which findings a model's owner takes on, why, and until when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

import msgspec

from backfill_safety.checks.finding import Finding, Severity
from backfill_safety.manifest import Node
from backfill_safety.settings.errors import nearest

CODE = "BF111"
KEYS = ("rule", "reason", "until")


class Excuse(msgspec.Struct, frozen=True):
    """An entry that counts."""

    rule: str
    reason: str
    until: date | None = None


class Excused(msgspec.Struct, frozen=True):
    """What is left of a model's findings, how many were excused, and what is wrong with the excuses."""

    findings: tuple[Finding, ...]
    number: int
    complaints: tuple[Finding, ...]


def excuse(
    node: Node, findings: Iterable[Finding], today: date, codes: Mapping[str, str], complete: bool
) -> Excused:
    """Applies a model's excuses.

    codes: every rule's code with the scopes it is asked in. complete: the model was judged, by all that the
    audit asks, so that an excuse which met no finding is unused.
    """
    entries = entries_of(node) or []
    complaints: list[str] = []
    valid: dict[str, Excuse] = {}
    for number, entry in enumerate(entries, 1):
        read = _read(entry, codes)
        if isinstance(read, str):
            complaints.append(f"entry {number} of `meta.backfill_safety.allow` does not count: {read}")
        elif read.until is not None and read.until < today:
            complaints.append(f"the excuse for {read.rule} expired after {read.until}")
        else:
            valid[read.rule] = read
    left = tuple(f for f in findings if f.code not in valid)
    met = {f.code for f in findings}
    if complete:
        complaints += [
            f"the excuse for {rule} excuses nothing: the rule finds nothing in this model"
            for rule in sorted(set(valid) - met)
            if "a" in codes[rule]
        ]
    return Excused(
        left, len(tuple(findings)) - len(left), tuple(_complaint(node, text) for text in complaints)
    )


def entries_of(node: Node) -> list[Any] | None:
    """The list as it stands in the meta; None when there is none."""
    for meta in (node.config.get("meta"), node.meta):
        own = meta.get("backfill_safety") if isinstance(meta, dict) else None
        if isinstance(own, dict) and own.get("allow") is not None:
            allow = own["allow"]
            return allow if isinstance(allow, list) else [allow]
    return None


def _read(entry: object, codes: Mapping[str, str]) -> Excuse | str:
    """The excuse, or why it does not count."""
    if not isinstance(entry, dict):
        return f"{entry!r} is not a mapping of rule, reason and until"
    for key in entry:
        if key not in KEYS:
            return f"unknown key {key!r}{nearest(str(key), KEYS)}"
    rule, reason, until = (entry.get(key) for key in KEYS)
    if not isinstance(rule, str) or rule not in codes:
        return f"there is no rule {rule!r}{nearest(str(rule), codes)}"
    if not isinstance(reason, str) or not reason.strip():
        return f"{rule} is excused without a reason"
    if until is None:
        return Excuse(rule, reason)
    try:
        return Excuse(rule, reason, _day(until))
    except ValueError:
        return f"until: {until!r} is not a date such as 2027-06-30"


def _day(value: object) -> date:
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else date.fromisoformat(str(value))


def _complaint(node: Node, message: str) -> Finding:
    """Points into the model's file if the excuse stands there, else at its properties file."""
    lines = node.code.splitlines()
    line = next((number for number, text in enumerate(lines, 1) if "backfill_safety" in text), 0)
    properties = (node.patch_path or "").partition("://")[2]
    return Finding(
        code=CODE,
        check=1,
        severity=Severity.WARN,
        model=node.unique_id,
        path=node.original_file_path if line or not properties else properties,
        line=line,
        message=message,
        alternative="{rule: BF201, reason: why it is harmless here, until: 2027-06-30}, or no entry",
    )
