"""The settings, typed. Keys are spelled with dashes, as in `fail-on`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from backfill_safety.checks.finding import Severity

FailOn = Literal["block", "warn", "info", "never"]


class Ignore(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Leaves out a rule for some models: `{rule = "BF105", select = "path:models/staging", reason = "…"}`.

    rule: a code, or the beginning of codes such as `BF5`. select: which models, as in `--select`; all by
    default. reason: for whoever reads the file later.
    """

    rule: str
    select: str | list[str] = ""
    reason: str = ""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """`[tool.backfill-safety]` of pyproject.toml, or backfill-safety.toml.

    select, exclude: which models are checked, each as in `--select`; all by default. ignore: rules that are
    left out, everywhere (`"BF101"`) or for some models (see `Ignore`). severity: by rule, in place of the
    rule's own. fail_on: the severity from which the exit status is 1. baseline: a file of findings that
    are known already, relative to the settings file. adapter: whose SQL the models are, where the manifest
    was parsed with another.
    """

    select: list[str] = []
    exclude: list[str] = []
    ignore: list[str | Ignore] = []
    severity: dict[str, Severity] = {}
    fail_on: FailOn = "block"
    baseline: str | None = None
    adapter: str | None = None


class Loaded(msgspec.Struct, frozen=True):
    """Settings, and the file they came from; None when there is none."""

    settings: Settings
    file: Path | None = None

    @property
    def baseline(self) -> Path | None:
        """The baseline's path as seen from here."""
        if self.settings.baseline is None:
            return None
        return (self.file.parent if self.file else Path()) / self.settings.baseline
