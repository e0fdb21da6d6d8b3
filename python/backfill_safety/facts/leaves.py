"""What feeds a select, through all its subqueries and CTEs."""

from __future__ import annotations

from collections.abc import Iterable

from .lineage import MAX_STEPS
from .shape import Generated, Input, Query, Select, Table


def one_row(select: Select, depth: int = 0) -> bool:
    """Whether a select without relations gives one row: values that are named, not rows that are generated."""
    return depth < MAX_STEPS and all(
        isinstance(entry.body, Query) and len(entry.body.arms) == 1 and one_row(entry.body.arms[0], depth + 1)
        for entry in select.inputs
    )


def leaves_below(select: Select, depth: int) -> Iterable[Table | Generated]:
    """The relations and generated rows that feed a select."""
    if depth > MAX_STEPS:
        return
    for entry in select.inputs:
        yield from leaves_of(entry, depth)


def leaves_of(entry: Input, depth: int = 0) -> Iterable[Table | Generated]:
    """The relations and generated rows behind an input."""
    if isinstance(entry.body, Query):
        for arm in entry.body.arms:
            yield from leaves_below(arm, depth + 1)
    else:
        yield entry.body
