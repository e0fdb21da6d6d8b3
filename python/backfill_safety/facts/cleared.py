"""What a pre-hook or the header deletes before the query appends: the same range, or certainly more or less."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING

from .grain import moment_of
from .types import Arm, Bound, HookWrite, Kind, Side, Verb

if TYPE_CHECKING:
    from .model import ModelFacts


class Cleared(Enum):
    """How a hook's delete lies to what is appended. RANGE: alike, as far as can be told."""

    NOTHING = "nothing"
    RANGE = "range"
    LESS = "less"
    MORE = "more"


def cleared(facts: ModelFacts) -> tuple[Cleared, HookWrite | None]:
    """What the pre-hooks delete by a bounded column of the query, and the hook: not today's rows under a window of vars."""
    clocked = any(Kind.CLOCK in b.kinds for arm in facts.arms for b in arm.bounds)
    columns = {p.column for arm in facts.arms for b in arm.bounds for p in b.paths}
    partitioned = {p.column for p in facts.partition_paths()}
    for write in facts.hook_writes:
        before = write.where in ("pre_hook", "sql_header")
        if not (before and write.verb is Verb.DELETE and write.target and write.predicate):
            continue
        named = _behind(facts, write.columns) or (partitioned if write.partition else set())
        if columns & named and (clocked or not write.clocked):
            found = {_beside(facts, write, arm) for arm in facts.arms}
            return (found.pop() if len(found) == 1 else Cleared.RANGE), write
    return Cleared.NOTHING, None


def _beside(facts: ModelFacts, write: HookWrite, arm: Arm) -> Cleared:
    """The delete beside one stream: by which ends it has, and by the dates of ends that both have."""
    deleted = _behind(facts, (p.column for b in write.bounds for p in b.paths))
    for side in Side if deleted else ():
        ours = [b for b in write.bounds if b.side is side]
        theirs = [b for b in arm.on(side) if not b.indirect and any(p.column in deleted for p in b.paths)]
        if not (ours and theirs):
            if theirs and not all(b.kinds <= {Kind.CLOCK, Kind.LITERAL} for b in theirs):
                return Cleared.MORE
            if ours and any(b.paths for b in arm.bounds):
                return Cleared.LESS
            continue
        mine, other = _end(facts, ours, side), _end(facts, theirs, side)
        if mine is None or other is None or _same(mine, other):
            continue
        return Cleared.MORE if (mine < other) is (side is Side.LOWER) else Cleared.LESS
    return Cleared.RANGE


def _behind(facts: ModelFacts, names: Iterable[str]) -> set[str]:
    """Columns of the target, and those of the inputs that they are made of: `day`, and the `at` of `date(at) as day`."""
    found = set(names)
    return found | {path.column for name in found for path in facts.live.output(name).paths}


def _same(one: tuple[datetime, bool], other: tuple[datetime, bool]) -> bool:
    """Also `<= the 1st` and `< the 2nd`, `<= 23:59:59` and `< 00:00`: alike for whole days."""
    (early, _), (late, _) = sorted((one, other))
    return one == other or (one[1] != other[1] and late - early in (timedelta(seconds=1), timedelta(days=1)))


def _end(facts: ModelFacts, bounds: list[Bound], side: Side) -> tuple[datetime, bool] | None:
    """The end that counts of several, as a date; the flag puts `>=` before `>`, and `<` before `<=`."""
    known = [(moment, b.inclusive is (side is Side.UPPER)) for b in bounds if (moment := _moment(facts, b))]
    if len(known) < len(bounds):
        return None
    return max(known) if side is Side.LOWER else min(known)


def _moment(facts: ModelFacts, bound: Bound) -> datetime | None:
    if bound.moment:
        return moment_of(bound.moment)
    if bound.kinds - {Kind.LITERAL} != {Kind.VAR} or len(bound.names) != 1 or bound.days_back is None:
        return None
    given = moment_of(str(facts.rendering.vars_read.get(bound.names[0]) or ""))
    return given - timedelta(days=bound.days_back) if given is not None else None
