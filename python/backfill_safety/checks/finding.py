"""A finding, and the verdict over many: what every check says and every report shows."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, IntEnum

import msgspec


class Severity(str, Enum):
    """How much a finding weighs; compare with `rank`, not as text."""

    BLOCK = "block"
    WARN = "warn"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for info, 1 for warn, 2 for block."""
        return ("info", "warn", "block").index(self.value)


class Check(IntEnum):
    """The six checks. The first digit of a rule's code is its check."""

    BOUNDED = 1
    IDEMPOTENT = 2
    ISOLATED = 3
    WATERMARK = 4
    COST = 5
    REVERSIBLE = 6

    @property
    def title(self) -> str:
        """The name that tables show, e.g. `Idempotency`."""
        return TITLES[self]


TITLES = {
    Check.BOUNDED: "Bounds",
    Check.IDEMPOTENT: "Idempotency",
    Check.ISOLATED: "Isolation",
    Check.WATERMARK: "Watermark",
    Check.COST: "Cost",
    Check.REVERSIBLE: "Reversibility",
}


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing a check has to say.

    code: `BF` and three digits. model: the node's unique id, or "" for a script or job. path: the file
    relative to the project, as the manifest names it, "" when there is none. line: counted from 1; 0
    when there is no line to point at. message: what would happen in this model. alternative: what to
    write instead, filled in for this model; "" when nothing needs to change. curable_by_run: the
    alternative changes only how the run is done, not the model or its sources.
    """

    code: str
    check: int
    severity: Severity
    model: str
    path: str
    line: int
    message: str
    alternative: str
    curable_by_run: bool = True

    def order(self) -> tuple[int, str, str, int, str, str]:
        """The order of every report: weightiest first, then by rule, model, place."""
        return (-self.severity.rank, self.code, self.model, self.line, self.path, self.message)


class NotJudged(msgspec.Struct, frozen=True):
    """A model (its unique id) that could not be judged, and why. It never counts as safe."""

    model: str
    reason: str


class VerdictKind(str, Enum):
    """The three verdicts, spelled as people read them."""

    SAFE = "SAFE TO RUN"
    RESTRUCTURE = "RESTRUCTURE FIRST"
    BLOCK = "BLOCK"


class Verdict(msgspec.Struct, frozen=True):
    """The verdict and, in one line, the single biggest reason for it."""

    kind: VerdictKind
    reason: str

    def __str__(self) -> str:
        return f"{self.kind.value} — {self.reason}"


def verdict_of(findings: Iterable[Finding], judged: int, not_judged: int) -> Verdict:
    """The verdict over `findings`, after `judged` models were judged and `not_judged` could not be.

    No block finding: safe, for the models that were judged and no others. Every block finding cured by
    changing only the run: restructure first. Otherwise: block.
    """
    blocks = [f for f in findings if f.severity is Severity.BLOCK]
    if not blocks:
        return _without_blocks(judged, not_judged)
    incurable = [f for f in blocks if not f.curable_by_run]
    kind = VerdictKind.BLOCK if incurable else VerdictKind.RESTRUCTURE
    return Verdict(kind, _biggest_reason(incurable or blocks))


def _biggest_reason(findings: list[Finding]) -> str:
    """The rule that stands against most models, told by its first finding."""
    where: dict[str, set[str]] = {}
    for finding in findings:
        where.setdefault(finding.code, set()).add(finding.model or finding.path)
    code = min(where, key=lambda c: (-len(where[c]), c))
    first = min((f for f in findings if f.code == code), key=Finding.order)
    more = f"; the same in {len(where[code]) - 1:,} more" if len(where[code]) > 1 else ""
    return f"{short_name(first.model) or first.path}: {first.message.rstrip('.')} ({code}{more})"


def _without_blocks(judged: int, not_judged: int) -> Verdict:
    if not judged and not not_judged:
        return Verdict(VerdictKind.SAFE, "for no model: nothing was checked")
    if not judged:
        return Verdict(VerdictKind.BLOCK, f"none of {plural(not_judged, 'model')} could be judged")
    if not_judged:
        total = judged + not_judged
        return Verdict(
            VerdictKind.SAFE, f"for {judged} of {plural(total, 'model')}; {not_judged} could not be judged"
        )
    return Verdict(VerdictKind.SAFE, f"nothing in {plural(judged, 'model')} stands against reprocessing")


def short_name(unique_id: str) -> str:
    """`model.shop.orders.v2` → `orders.v2`: a unique id without its kind and package."""
    return unique_id.split(".", 2)[-1]


def plural(count: int, noun: str) -> str:
    """`1 model`, `2 models`, `1,200 models`."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
