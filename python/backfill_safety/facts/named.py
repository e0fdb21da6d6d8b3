"""What a run replaces by name, whatever its query gives: BigQuery's `partitions`, the predicate of `replace_where`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlglot
from msgspec import Struct
from sqlglot.errors import SqlglotError

from .adapters import Write
from .grain import Grain
from .moved import days_back
from .types import Arm, Bound, Kind, Path, Side, from_below

if TYPE_CHECKING:
    from .model import ModelFacts
    from .target import Target


class Named(Struct, frozen=True, kw_only=True):
    """The span. text: its oldest part as written. oldest: how many days before now that lies. paths: the columns behind its column."""

    text: str
    oldest: float
    paths: tuple[Path, ...]


def named_of(facts: ModelFacts) -> Named | None:
    """The span that is replaced by name; None where there is none, or where its days are not told by the clock alone."""
    target = facts.target
    if target.write is Write.PREDICATE:
        for predicate in facts.predicates:
            for bound in predicate.bounds:
                if bound.side is Side.LOWER and bound.kinds == {Kind.CLOCK} and bound.days_back is not None:
                    paths = facts.live.output(bound.paths[0].column).paths if bound.paths else ()
                    return Named(text=predicate.text, oldest=bound.days_back, paths=paths)
        return None
    if target.write is not Write.PARTITIONS or not target.named_partitions or target.partitioning is None:
        return None
    backs = [_back(text, target) for text in target.named_partitions]
    known = [
        (back, text) for back, text in zip(backs, target.named_partitions, strict=True) if back is not None
    ]
    if len(known) < len(backs):
        return None
    oldest, text = max(known)
    return Named(text=text, oldest=oldest, paths=facts.live.output(target.partitioning.names[0]).paths)


def _back(text: str, target: Target) -> float | None:
    try:
        return days_back(sqlglot.parse_one(text, dialect=target.traits.dialect))
    except (SqlglotError, ValueError, RecursionError):
        return None


def first_read(arm: Arm, named: Named) -> tuple[float, Bound] | None:
    """How many days before now the oldest day lies that a stream reads, and what bounds it; None where the clock does not tell."""
    found = []
    for bound in from_below(arm):
        if (
            bound.listed
            or bound.indirect
            or not any(p.same_column(own) for p in bound.paths for own in named.paths)
        ):
            continue
        if bound.kinds != {Kind.CLOCK} or bound.days_back is None:
            return None
        whole = bound.grain is not None and bound.grain >= Grain.DAY
        found.append((bound.days_back - (whole and not bound.inclusive), bound))
    return min(found, key=lambda pair: pair[0], default=None)
