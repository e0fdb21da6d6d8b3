"""What was found out about one model: what workers send, and what is remembered."""

from __future__ import annotations

import msgspec

from backfill_safety.checks.finding import Finding


class Answer(msgspec.Struct, frozen=True):
    """The findings for one model, and why it could not be judged; None when it was."""

    findings: tuple[Finding, ...] = ()
    not_judged: str | None = None
