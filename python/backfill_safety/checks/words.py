"""How findings put things: lists of names, kinds of bounds, and the safer code, filled in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts

MOST = 4


def listed(names: Iterable[str]) -> str:
    """`a`, `b` and 3 more."""
    found = list(dict.fromkeys(names))
    shown = [f"`{name}`" for name in found[:MOST]]
    if len(found) > MOST:
        return f"{', '.join(shown)} and {len(found) - MOST} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]])) if shown else ""


def short(relation: str) -> str:
    """The last part of a relation's name: `db.schema.orders` → `orders`."""
    return relation.rpartition(".")[2] or relation


def window_filter(column: str) -> str:
    """The condition that makes a window of a column right in first builds, live runs and backfills."""
    return f"`where {{{{ backfill_safety.window('{column}') }}}}`"


def var_window(column: str) -> str:
    """The condition that makes a window of two vars."""
    return f"`{column} >= '{{{{ var(\"start_date\") }}}}' and {column} < '{{{{ var(\"end_date\") }}}}'`"


def operation(facts: ModelFacts) -> str:
    """The command that rebuilds a window of the model, unit by unit."""
    start, end = "START", "END"
    if facts.request is not None and facts.request.windowed:
        start, end = facts.request.start or start, facts.request.end or end
    return f"`dbt run-operation safe_backfill --args '{{model: {facts.name}, start: {start}, end: {end}}}'`"


def time_column(facts: ModelFacts) -> str:
    """A column by which the model could be bounded: its partition, its event time, or one that says time."""
    from backfill_safety.facts.names import says_time

    if facts.target.partitioning is not None:
        return facts.target.partitioning.names[0]
    if facts.target.event_time:
        return facts.target.event_time
    for bound in facts.live.bounds:
        if bound.paths:
            return bound.paths[0].column
    named = [name for name in facts.live.names if says_time(name)]
    declared = [name for name in facts.node.columns if says_time(name)]
    return (named or declared or ["<the time column>"])[0].lower()
