"""SARIF 2.1.0, for code scanning: one rule id a code, the rules' own texts, true lines."""

from __future__ import annotations

from hashlib import sha256
from typing import Any
from urllib.parse import quote

import msgspec

from backfill_safety.checks.finding import Check, Finding, Severity
from backfill_safety.report.clean import plain
from backfill_safety.report.document import Document

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVEL = {Severity.BLOCK: "error", Severity.WARN: "warning", Severity.INFO: "note"}


def render(document: Document) -> str:
    """One run: the rules that found something, their results, and what was not judged as notifications."""
    codes = sorted({f.code for f in document.findings})
    driver = {
        "name": "backfill-safety",
        "semanticVersion": document.version,
        "rules": [_rule(code, document) for code in codes],
    }
    run = {
        "tool": {"driver": {key: value for key, value in driver.items() if value != ""}},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    {"level": "warning", "message": {"text": plain(f"{n.model} was not judged: {n.reason}")}}
                    for n in document.not_judged
                ],
            }
        ],
        "results": [_result(f, codes.index(f.code), document) for f in document.findings],
        "properties": {"verdict": document.verdict.kind.value, "reason": plain(document.verdict.reason)},
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return msgspec.json.format(msgspec.json.encode(log), indent=2).decode() + "\n"


def _rule(code: str, document: Document) -> dict[str, Any]:
    check = Check(int(code[2]))
    about: dict[str, Any] = {"id": code, "properties": {"tags": ["backfill", check.name.lower()]}}
    if told := document.rules.get(code):
        about["name"] = told.name
        about["shortDescription"] = {"text": told.summary}
        about["help"] = {"text": told.page or told.summary, "markdown": told.page or told.summary}
    return about


def _result(finding: Finding, rule: int, document: Document) -> dict[str, Any]:
    text = finding.message
    if finding.alternative:
        text += f"\n\nSafe alternative: {finding.alternative}"
    location: dict[str, Any] = {}
    if finding.path:
        location["physicalLocation"] = {"artifactLocation": {"uri": quote(document.file(finding))}}
        if finding.line:
            location["physicalLocation"]["region"] = {"startLine": finding.line}
    if finding.model:
        location["logicalLocations"] = [{"fullyQualifiedName": plain(finding.model), "kind": "resource"}]
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": LEVEL[finding.severity],
        "message": {"text": plain(text)},
        "locations": [location] if location else [],
        # The line is left out, so that a result stays the same one when text above it changes.
        "partialFingerprints": {"backfillSafety/v1": _fingerprint(finding)},
    }


def _fingerprint(finding: Finding) -> str:
    return sha256(
        "\0".join((finding.code, finding.model or finding.path, finding.message)).encode()
    ).hexdigest()
