"""What feeds a select, through all its subqueries and CTEs."""

from __future__ import annotations

from .functions import generates_rows
from .lineage import MAX_STEPS
from .shape import Generated, Input, Query, Select, Table

Leaves = Table | Generated


def one_row(select: Select, depth: int = 0) -> bool:
    """Whether a select without relations gives one row: values that are named, not rows that are generated."""
    return depth < MAX_STEPS and all(
        isinstance(entry.body, Query) and len(entry.body.arms) == 1 and one_row(entry.body.arms[0], depth + 1)
        for entry in select.inputs
    )


def leaves_below(select: Select) -> tuple[Leaves, ...]:
    """The relations and generated rows that feed a select, each once."""
    return tuple(dict.fromkeys(leaf for entry in select.inputs for leaf in leaves_of(entry)))


def leaves_of(entry: Input) -> tuple[Leaves, ...]:
    """The relations and generated rows behind an input, each once."""
    body = entry.body
    if not isinstance(body, Query):
        return (body,)
    if "leaves" not in body.memo:
        body.memo["leaves"] = ()
        body.memo["leaves"] = tuple(dict.fromkeys(leaf for arm in body.arms for leaf in leaves_below(arm)))
    found: tuple[Leaves, ...] = body.memo["leaves"]
    return found


def told_apart(select: Select) -> bool:
    """Whether anything but their number tells the rows of a select apart: those of Snowflake's `generator` are all alike."""
    leaves = leaves_below(select)
    alike = (isinstance(leaf, Generated) and generates_rows(leaf.node) for leaf in leaves)
    return not leaves or not all(alike)
