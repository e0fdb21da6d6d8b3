"""For people at a terminal, or in a log of 80 columns."""

from __future__ import annotations

from backfill_safety.checks.finding import short_name
from backfill_safety.report.clean import one_line
from backfill_safety.report.document import Document
from backfill_safety.report.rows import footers, rows
from backfill_safety.report.table import draw, wrap


def render(document: Document, width: int = 80) -> str:
    """The table, what was not judged, and the verdict, `width` columns wide."""
    parts = []
    if document.findings:
        parts.append(draw([[one_line(cell) for cell in row] for row in rows(document)], width))
    if document.not_judged:
        lines = ["Not judged, and never counted as safe:"]
        for left in document.not_judged:
            told = wrap(one_line(f"{short_name(left.model)}: {left.reason}"), width - 4)
            lines += [f"  {'  ' if number else ''}{line}" for number, line in enumerate(told)]
        parts.append("\n".join(lines))
    parts += ["\n".join(wrap(one_line(line), width)) for line in footers(document)]
    parts.append("\n".join(wrap(one_line(f"Verdict: {document.verdict}"), width)))
    return "\n\n".join(parts) + "\n"
