"""What the settings make of findings: rules left out, severities changed."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from backfill_safety.audit.select import select
from backfill_safety.checks.finding import Finding
from backfill_safety.manifest import Manifest
from backfill_safety.settings.schema import Ignore, Settings


def adjust(manifest: Manifest, findings: Iterable[Finding], settings: Settings) -> tuple[list[Finding], int]:
    """The findings that the settings leave, at the severity that they say, and how many they leave out.

    Raises SelectionError where an `ignore` selects in a way that is not understood.
    """
    ignored = [(prefix, _models(manifest, part)) for part in settings.ignore for prefix in [_prefix(part)]]
    left: list[Finding] = []
    number = 0
    for finding in findings:
        if any(finding.code.startswith(p) and (m is None or finding.model in m) for p, m in ignored):
            number += 1
            continue
        severity = settings.severity.get(finding.code, finding.severity)
        left.append(msgspec.structs.replace(finding, severity=severity))
    return left, number


def _prefix(part: str | Ignore) -> str:
    return part if isinstance(part, str) else part.rule


def _models(manifest: Manifest, part: str | Ignore) -> set[str] | None:
    """Unique ids that an `ignore` is about; None for all."""
    if isinstance(part, str) or not part.select:
        return None
    wanted = [part.select] if isinstance(part.select, str) else part.select
    return {n.unique_id for n in select(manifest, manifest.nodes.values(), wanted, [])}
