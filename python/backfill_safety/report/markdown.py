"""For a comment on a pull request."""

from __future__ import annotations

import re

from backfill_safety.checks.finding import short_name
from backfill_safety.report.clean import one_line
from backfill_safety.report.document import Document
from backfill_safety.report.rows import footers, rows
from backfill_safety.report.table import HEAD

# GitHub refuses a comment of more than 65,536 characters.
LIMIT = 60_000
_CODE = re.compile(r"(`[^`]+`)")
_MARKUP = re.compile(r"[\\`*\[\]<>|~$&]|(?<!\w)_|_(?!\w)|(?<=www)\.|:(?=//)")
# Names and issues are linked after the markup is read: no backslash helps, an empty comment does.
_MENTION = re.compile(r"([@#])(?=\w)")


def render(document: Document) -> str:
    """The table, what was not judged, and the verdict; at most about `LIMIT` characters of them."""
    parts = [_table(document)] if document.findings else []
    if document.not_judged:
        told = [f"- {escape(short_name(n.model))}: {escape(n.reason)}" for n in document.not_judged]
        parts.append("Not judged, and never counted as safe:\n\n" + "\n".join(_cut(told, LIMIT // 4, "- …")))
    parts += [escape(line) for line in footers(document)]
    kind, reason = document.verdict.kind.value, document.verdict.reason
    parts.append(f"**Verdict: {kind}** — {escape(_short(reason))}")
    return "\n\n".join(parts) + "\n"


def _table(document: Document) -> str:
    head = "| " + " | ".join(HEAD) + " |\n|" + "|".join("-" * (len(title) + 2) for title in HEAD) + "|\n"
    lines = ["| " + " | ".join(escape(_short(cell)) for cell in row) + " |" for row in rows(document)]
    return head + "\n".join(
        _cut(lines, LIMIT - LIMIT // 4, "| … | | | {more} more: --format json tells all | |")
    )


def _cut(lines: list[str], limit: int, last: str) -> list[str]:
    """As many whole lines as stay under `limit` characters, and a last one that says how many are missing."""
    length = 0
    for number, line in enumerate(lines):
        length += len(line) + 1
        if length > limit:
            return [*lines[:number], last.format(more=f"{len(lines) - number:,}")]
    return lines


def _short(text: str, most: int = 2000) -> str:
    return text if len(text) <= most else text[:most] + "…"


def escape(text: str) -> str:
    """Text that Markdown shows as it is: no link, no mention, no markup, no new cell. `code` stays code."""
    parts = _CODE.split(one_line(text))
    return "".join(part.replace("|", r"\|") if _CODE.fullmatch(part) else _prose(part) for part in parts)


def _prose(text: str) -> str:
    return _MENTION.sub(r"\1<!-- -->", _MARKUP.sub(r"\\\g<0>", text))
