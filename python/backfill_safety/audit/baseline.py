"""A baseline: the findings that an old project already has, in a file that is committed beside it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from backfill_safety.checks.finding import Finding, Severity
from backfill_safety.files import write_named
from backfill_safety.settings.errors import UsageError

_VERSION = 1


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One known finding; the line is left out, since it moves."""

    code: str
    severity: Severity
    model: str
    path: str
    message: str


class Baseline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file: sorted, so that a change of it reads well in a review."""

    version: int
    findings: list[Entry]


def read_baseline(file: Path) -> list[Finding]:
    """The findings of a baseline. Raises UsageError where it is missing or not one."""
    try:
        told = msgspec.json.decode(file.read_bytes(), type=Baseline)
    except FileNotFoundError:
        raise UsageError(f"there is no baseline {file}: --write-baseline {file} makes it") from None
    except OSError as error:
        raise UsageError(f"the baseline {file} cannot be read: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{file} is not a baseline: {str(error).replace('`', '')}") from None
    if told.version != _VERSION:
        raise UsageError(f"{file} is a baseline of version {told.version}, not {_VERSION}: write it anew")
    return [
        Finding(
            code=e.code, check=0, severity=e.severity, model=e.model, path=e.path, line=0, message=e.message,
            alternative="",
        )
        for e in told.findings
    ]  # fmt: skip


def write_baseline(file: Path, findings: Iterable[Finding]) -> None:
    """Writes `findings` as the baseline. Raises UsageError where the file cannot be written."""
    entries = [
        Entry(f.code, f.severity, f.model, f.path, f.message) for f in sorted(findings, key=Finding.order)
    ]
    text = msgspec.json.format(msgspec.json.encode(Baseline(_VERSION, entries)), indent=2) + b"\n"
    try:
        write_named(file, text)
    except OSError as error:
        raise UsageError(f"the baseline {file} cannot be written: {error.strerror}") from None
