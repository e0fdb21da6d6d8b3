"""Which findings are new: beside a previous manifest, or beside a baseline."""

from __future__ import annotations

from collections.abc import Iterable

from backfill_safety.checks.finding import Finding

Known = dict[tuple[str, str], list[tuple[int, str]]]


def split(findings: Iterable[Finding], before: Iterable[Finding]) -> tuple[list[Finding], list[Finding], int]:
    """What is new, what was known, and how many known ones are gone.

    A finding is known when the same rule had one for the same model (or file) at least as weighty. Line and
    wording do not count, since text above a finding moves it and its message quotes the SQL; the number
    does, so that a second finding of a rule is new. Where there are more than there were, those worded as
    before are the known ones.
    """
    known: Known = {}
    for old in before:
        known.setdefault(_place(old), []).append((old.severity.rank, old.message))
    new: list[Finding] = []
    seen: list[Finding] = []
    rest: list[Finding] = []
    for finding in sorted(findings, key=Finding.order):
        worded = (finding.severity.rank, finding.message)
        if worded in known.get(_place(finding), []):
            known[_place(finding)].remove(worded)
            seen.append(finding)
        else:
            rest.append(finding)
    for finding in rest:
        heavy = [old for old in known.get(_place(finding), []) if old[0] >= finding.severity.rank]
        if heavy:
            known[_place(finding)].remove(min(heavy))
            seen.append(finding)
        else:
            new.append(finding)
    return new, seen, sum(map(len, known.values()))


def _place(finding: Finding) -> tuple[str, str]:
    return finding.code, finding.model or finding.path
