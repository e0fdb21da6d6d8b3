"""For programs. The shape is fixed, and `findings.schema.json` beside this file says it."""

from __future__ import annotations

from typing import Annotated

import msgspec

from backfill_safety.checks.finding import Finding, NotJudged, Severity, VerdictKind
from backfill_safety.report.clean import escaped
from backfill_safety.report.document import Document

_CodeText = Annotated[str, msgspec.Meta(pattern="^BF[1-6][0-9]{2}$", description="The rule.")]
_CheckNumber = Annotated[
    int, msgspec.Meta(ge=1, le=6, description="The check, 1 (bounded) to 6 (reversible).")
]
_Line = Annotated[int, msgspec.Meta(ge=0, description="Counted from 1; 0 when there is no line to point at.")]
_Number = Annotated[int, msgspec.Meta(ge=0)]


class JsonFinding(msgspec.Struct, frozen=True):
    """One finding. `model` is a unique id, "" for a script or a job."""

    code: _CodeText
    check: _CheckNumber
    severity: Severity
    model: str
    path: str
    line: _Line
    message: str
    alternative: str

    @classmethod
    def of(cls, finding: Finding) -> JsonFinding:
        return cls(*(getattr(finding, name) for name in cls.__struct_fields__))


class JsonSummary(msgspec.Struct, frozen=True):
    """Figures. The verdict's reason is the line that people see after it."""

    reason: str
    adapter: str
    version: str
    judged: _Number
    not_judged: _Number
    block: _Number
    warn: _Number
    info: _Number
    unchanged: _Number
    in_previous: _Number
    in_baseline: _Number
    gone_from_baseline: _Number
    excused: _Number
    ignored: _Number


class JsonReport(msgspec.Struct, frozen=True):
    """The whole answer. What is in `not_judged` is never safe."""

    verdict: VerdictKind
    findings: tuple[JsonFinding, ...]
    not_judged: tuple[NotJudged, ...]
    summary: JsonSummary


def report_of(document: Document) -> JsonReport:
    """The document in its JSON shape."""
    held = document.held
    summary = JsonSummary(
        reason=document.verdict.reason,
        adapter=document.adapter,
        version=document.version,
        judged=len(document.subjects),
        not_judged=len(document.not_judged),
        block=document.count(Severity.BLOCK),
        warn=document.count(Severity.WARN),
        info=document.count(Severity.INFO),
        unchanged=held.unchanged,
        in_previous=held.previous,
        in_baseline=held.baseline,
        gone_from_baseline=held.gone,
        excused=held.excused,
        ignored=held.ignored,
    )
    findings = tuple(map(JsonFinding.of, document.findings))
    return JsonReport(document.verdict.kind, findings, document.not_judged, summary)


def render(document: Document) -> str:
    """JSON, indented by two."""
    return escaped(msgspec.json.format(msgspec.json.encode(report_of(document)), indent=2).decode()) + "\n"


def schema() -> str:
    """The JSON schema of `render`'s output, as `findings.schema.json` holds it."""
    told = msgspec.json.schema(JsonReport)
    told = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "backfill-safety findings",
        **told,
    }
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode() + "\n"
