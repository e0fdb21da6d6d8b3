"""Findings as the rows that people read, in text and in Markdown alike."""

from __future__ import annotations

from collections.abc import Iterator

from backfill_safety.checks.finding import Check, Finding, Severity, plural, short_name
from backfill_safety.report.document import Document

LABEL = {Severity.BLOCK: "🔴 Block", Severity.WARN: "🟡 Warn", Severity.INFO: "🔵 Info"}
# From this many findings of one rule on, a single row tells them; what blocks is always told one by one.
FOLD = {Severity.WARN: 20, Severity.INFO: 10}
NAMED = 5


def rows(document: Document) -> list[tuple[str, str, str, str, str]]:
    """Number, severity, check, finding and safe alternative of each row."""
    told = (_row(group, document) for group in _groups(document))
    return [(str(number), *row) for number, row in enumerate(told, 1)]


def _groups(document: Document) -> Iterator[list[Finding]]:
    by_rule: dict[tuple[Severity, str], list[Finding]] = {}
    for finding in document.findings:
        by_rule.setdefault((finding.severity, finding.code), []).append(finding)
    for (severity, _), group in by_rule.items():
        if len(group) >= FOLD.get(severity, len(group) + 1):
            yield group
        else:
            yield from ([finding] for finding in group)


def _row(group: list[Finding], document: Document) -> tuple[str, str, str, str]:
    first = group[0]
    label, check = LABEL[first.severity], Check(first.check).title
    if len(group) == 1:
        return label, check, f"{first.code} {place(first, document)}: {first.message}", first.alternative
    names = sorted({short_name(f.model) or f.path for f in group})
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    where = f"{plural(len(names), 'model')}: {', '.join(names[:NAMED])}{more}"
    told = f"{first.code} in {where}. In {place(first, document)}: {first.message}"
    return label, check, told, f"{first.alternative} (--format json tells each by itself)".strip()


def place(finding: Finding, document: Document) -> str:
    """`orders (models/orders.sql:12)`: the model, and where to look."""
    file = document.file(finding)
    spot = f"{file}:{finding.line}" if finding.line and file else file
    name = short_name(finding.model)
    return f"{name} ({spot})" if name and spot else name or spot


def footers(document: Document) -> list[str]:
    """What is not in the table, a sentence each."""
    held = document.held
    said = {
        f"{plural(held.unchanged, 'model')} as in the previous manifest": held.unchanged,
        f"{plural(held.previous, 'finding')} that stood in the previous manifest": held.previous,
        f"{plural(held.baseline, 'finding')} of the baseline": held.baseline,
        f"{plural(held.excused, 'finding')} excused in the models' meta": held.excused,
        f"{plural(held.ignored, 'finding')} ignored by the settings": held.ignored,
    }
    lines = (
        [f"Not shown: {', '.join(text for text, number in said.items() if number)}."]
        if any(said.values())
        else []
    )
    if held.gone:
        lines.append(
            f"The baseline holds {held.gone:,} more than there is: write it anew with --write-baseline."
        )
    return lines
