"""A rule's page: what `explain` prints, and what `docs/rules/` holds."""

from __future__ import annotations

from collections.abc import Iterable

from backfill_safety.checks.rule import HEADINGS, Rule

SCOPES = {"a": "manifest audit", "r": "review of scripts and jobs", "p": "preflight of the operation"}


def page(rule: Rule) -> str:
    """Markdown: title, sentence, where it applies, and the fixed parts of the documentation."""
    doc = rule.doc
    where = ", ".join(SCOPES[letter] for letter in SCOPES if letter in rule.scopes)
    check = f"{int(rule.check)}, {rule.check.name.lower()}"
    parts = [
        f"# {rule.code}: {spelled(rule)}",
        doc.summary,
        f"Check {check}. Usual severity: {rule.severity.value}. Asked in: {where}.",
    ]
    bodies = (doc.what, doc.why, doc.example, doc.instead, doc.limits)
    parts += [f"## {heading}\n\n{body}" for heading, body in zip(HEADINGS, bodies, strict=True)]
    return "\n\n".join(parts) + "\n"


def index(rules: Iterable[Rule]) -> str:
    """The page that lists them all, with links."""
    lines = [
        "# Rules",
        "",
        "The first digit of a code is the check it belongs to. *a* manifest audit, *r* review of scripts and",
        "jobs, *p* preflight of the operation.",
        "",
        "| code | rule | where | usual severity | what it finds |",
        "|---|---|---|---|---|",
    ]
    for rule in rules:
        summary = " ".join(rule.doc.summary.split()).replace("|", "\\|")
        link = f"[{rule.code}]({rule.code}.md)"
        lines.append(
            f"| {link} | {spelled(rule)} | {' '.join(rule.scopes)} | {rule.severity.value} | {summary} |"
        )
    return "\n".join(lines) + "\n"


def spelled(rule: Rule) -> str:
    """The rule's name with dashes."""
    return rule.name.replace("_", "-")
