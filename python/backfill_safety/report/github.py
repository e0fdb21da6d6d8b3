"""Workflow commands of GitHub Actions: each finding beside the line of the model it is about."""

from __future__ import annotations

from backfill_safety.checks.finding import Check, Finding, Severity, short_name
from backfill_safety.report.clean import one_line, plain
from backfill_safety.report.document import Document

COMMAND = {Severity.BLOCK: "error", Severity.WARN: "warning", Severity.INFO: "notice"}


def render(document: Document) -> str:
    """A command a finding, one for all that was not judged, and the verdict as plain text."""
    lines = [_annotation(finding, document) for finding in document.findings]
    if document.not_judged:
        told = "\n".join(f"{short_name(n.model)}: {n.reason}" for n in document.not_judged)
        lines.append(f"::warning title={_property('not judged, and never counted as safe')}::{_data(told)}")
    lines.append(one_line(f"Verdict: {document.verdict}"))
    return "\n".join(lines) + "\n"


def _annotation(finding: Finding, document: Document) -> str:
    properties = {}
    if file := document.file(finding):
        properties["file"] = file
        if finding.line:
            properties["line"] = str(finding.line)
    name = short_name(finding.model)
    properties["title"] = f"{finding.code} {Check(finding.check).title}" + (f": {name}" if name else "")
    text = finding.message + (f"\nSafe alternative: {finding.alternative}" if finding.alternative else "")
    told = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{COMMAND[finding.severity]} {told}::{_data(text)}"


def _data(text: str) -> str:
    return plain(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
