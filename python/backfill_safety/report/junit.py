"""JUnit XML, for the test tab of a CI server: a suite a check, a case a finding, a case a clean model."""

from __future__ import annotations

from xml.etree import ElementTree as Xml

from backfill_safety.checks.finding import Check, Finding, short_name
from backfill_safety.report.clean import plain
from backfill_safety.report.document import Document


def render(document: Document) -> str:
    """What fails the run is a failure, any other finding a passed case with its text, not judged skipped."""
    root = Xml.Element("testsuites", name="backfill-safety")
    for check in Check:
        found = [f for f in document.findings if f.check == check]
        if found:
            _suite(root, f"{int(check)} {check.title}", [_case(f, document) for f in found])
    told = {f.model for f in document.findings} | {n.model for n in document.not_judged}
    clean = [
        _element("testcase", classname=m, name=short_name(m)) for m in document.subjects if m not in told
    ]
    if clean:
        _suite(root, "nothing found", clean)
    if document.not_judged:
        _suite(root, "not judged", [_skipped(n.model, n.reason) for n in document.not_judged])
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"


def _suite(root: Xml.Element, name: str, cases: list[Xml.Element]) -> None:
    suite = _element(
        "testsuite",
        name=name,
        tests=str(len(cases)),
        failures=str(sum(case.find("failure") is not None for case in cases)),
        errors="0",
        skipped=str(sum(case.find("skipped") is not None for case in cases)),
    )
    suite.extend(cases)
    root.append(suite)


def _case(finding: Finding, document: Document) -> Xml.Element:
    file = document.file(finding)
    where = finding.model or file
    case = _element("testcase", classname=where, name=f"{finding.code} {short_name(finding.model) or file}")
    if file:
        case.set("file", plain(file))
    if file and finding.line:
        case.set("line", str(finding.line))
    text = f"{file}:{finding.line}\n{finding.message}" if file else finding.message
    if finding.alternative:
        text += f"\nSafe alternative: {finding.alternative}"
    failure = {"type": finding.severity.value, "message": finding.message}
    told = _element("failure", **failure) if document.fails(finding) else _element("system-out")
    told.text = plain(text)
    case.append(told)
    return case


def _skipped(model: str, reason: str) -> Xml.Element:
    case = _element("testcase", classname=model, name=short_name(model))
    case.append(_element("skipped", message=reason))
    return case


def _element(tag: str, **attributes: str) -> Xml.Element:
    return Xml.Element(tag, {key: plain(value) for key, value in attributes.items()})
