"""The destination predicate does not cover the window, or an `or` undoes it.

## What it does
Reads `incremental_predicates`, and BigQuery's `partitions`, and compares them with how far back the query may reach. Looks for an `or`
without brackets where the adapter joins the predicate to its own conditions.

## Why it is bad
A merge that looks only at the last three days of the target does not find the older rows it wrote before, and
inserts them again. In a delete, `… and key = key or trade_day is null` deletes every row of the second half.

## Example
```sql
{{ config(incremental_strategy='merge', unique_key='trade_id',
          incremental_predicates=["DBT_INTERNAL_DEST.trade_day >= current_date - interval '3' day"]) }}
select … where trade_day >= date '{{ var("start_day") }}' and trade_day < date '{{ var("end_day") }}'
```

## Use instead
```sql
incremental_predicates=["DBT_INTERNAL_DEST.trade_day >= date '" ~ var("start_day") ~ "'",
                        "DBT_INTERNAL_DEST.trade_day < date '" ~ var("end_day") ~ "'"]
```

## Known limits
Silent where the query itself reaches no further back than the predicate. Block when a window is judged that
begins before the predicate does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.checks.words import operation
from backfill_safety.facts.adapters import Write
from backfill_safety.facts.named import first_read, named_of
from backfill_safety.facts.types import Arm, Bound, Kind, Side, from_below

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts
    from backfill_safety.facts.predicates import Predicate


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit for the first predicate that goes wrong."""
    if facts.target.named_partitions:
        yield from _beyond_list(facts)
    if facts.target.write not in (Write.MERGE, Write.DELETE_INSERT):
        return
    line = facts.rendering.config_line or 0
    for predicate in facts.predicates:
        if predicate.loose_or and _joined_bare(facts):
            yield Hit(
                message=f"the `or` in the incremental predicate `{predicate.text}` has no brackets: "
                f"{facts.target.strategy} joins it to the key by `and`, and its second half takes every row that meets it",
                alternative=f"put it in brackets: `({predicate.text})`",
                severity=Severity.BLOCK,
                line=line,
            )
            return
        hit = _too_narrow(facts, predicate)
        if hit is not None:
            yield hit
            return


def _beyond_list(facts: ModelFacts) -> Iterator[Hit]:
    """BigQuery deletes the listed partitions and inserts all that the query gives; only where partitions are copied are others left out."""
    named = named_of(facts)
    if named is None or facts.target.copies_partitions:
        return
    for arm in facts.arms:
        read = first_read(arm, named)
        if read is not None and read[0] >= named.oldest + 1:
            yield Hit(
                message=f"the oldest of the `partitions` is `{named.text}`, but the query may reach further back, to "
                f"`{read[1].value}`: what it reads there is inserted again",
                alternative="take `partitions` and filter from the same list",
                line=facts.line(read[1].line),
            )
            return


def _joined_bare(facts: ModelFacts) -> bool:
    """dbt puts a merge's predicates in brackets, and a delete's not; Spark's and Databricks' merges neither."""
    return facts.target.write is Write.DELETE_INSERT or facts.target.adapter in ("spark", "databricks")


def _too_narrow(facts: ModelFacts, predicate: Predicate) -> Hit | None:
    if _beside(facts, predicate):
        return Hit(
            message=f"old rows are looked for only where `{predicate.text}`, which is not the window that the query reads: its rows are "
            "not found and are inserted again",
            alternative="take predicate and filter from the same vars, both ends alike",
            line=facts.rendering.config_line or 0,
        )
    for bound in predicate.bounds:
        if bound.side is not Side.LOWER or Kind.VAR in bound.kinds or Kind.UNKNOWN in bound.kinds:
            continue
        if facts.planned and facts.request is not None and _begins_before(facts, bound, predicate):
            return Hit(
                message=f"the merge looks for old rows only where `{predicate.text}`: rows of the window "
                f"{facts.request.text} are not found "
                "and are inserted again",
                alternative=f"widen the predicate to the window, or run {operation(facts)}, which does not use it",
                severity=Severity.BLOCK,
                line=facts.rendering.config_line or 0,
            )
        if Kind.CLOCK in bound.kinds and _reaches_further(facts, bound, predicate):
            return Hit(
                message=f"old rows are looked for only where `{predicate.text}`, but the query may reach further back: "
                "what it reads there is "
                "inserted again",
                alternative="take predicate and filter from the same vars or the same macro",
                line=facts.rendering.config_line or 0,
            )
    return None


def _beside(facts: ModelFacts, predicate: Predicate) -> bool:
    """Whether the predicate begins after the query's window does, or ends where it begins, both told by known dates."""
    begins = [b.moment for arm in facts.arms for b in from_below(arm) if b.moment and Kind.VAR in b.kinds]
    if not begins:
        return False
    for bound in predicate.bounds:
        if bound.moment and Kind.VAR in bound.kinds:
            if bound.side is Side.UPPER and bound.moment <= min(begins):
                return True
            if bound.side is Side.LOWER and bound.moment > min(begins):
                return True
    return False


def _begins_before(facts: ModelFacts, bound: Bound, predicate: Predicate) -> bool:
    """Whether the judged window begins before the predicate does; a clock's look-back that is not told counts as none."""
    if facts.request is None:
        return False
    if Kind.CLOCK in bound.kinds:
        return facts.request.older_than(predicate.days_back or 0, facts.today)
    return predicate.literal is not None and facts.request.older_than(0, predicate.literal)


def _reaches_further(facts: ModelFacts, bound: Bound, predicate: Predicate) -> bool:
    """Whether some stream is bounded by something that can lie further back than the predicate."""
    if facts.only_itself:
        return predicate.days_back is not None and any(
            _looks_back(arm, bound) > predicate.days_back for arm in facts.arms
        )
    for arm in facts.arms:
        below = [b for b in from_below(arm) if not b.indirect]
        if arm.unknown:
            continue
        if not below:
            return not arm.bounds
        if any(b.value == bound.value for b in below):
            continue
        clocks = [b for b in below if b.kinds == {Kind.CLOCK}]
        if not clocks:
            return bool({k for b in below for k in b.kinds} & {Kind.VAR, Kind.OTHER})
        backs = [back for b in clocks if (back := b.days_back) is not None]
        if backs and predicate.days_back is not None and min(backs) > predicate.days_back:
            return True
    return False


def _looks_back(arm: Arm, bound: Bound) -> float:
    """By how many days a stream is read again from before the newest of the predicate's column; 0 where that is not told."""
    columns = {path.column for path in bound.paths}
    backs = [
        b.moved if columns & set(b.itself) else None
        for b in from_below(arm)
        if b.kinds == {Kind.ITSELF} and not b.indirect
    ]
    return min((back or 0.0 for back in backs), default=0.0)


RULE = Rule("BF206", "destination-predicate", Severity.WARN, "a", __doc__, judge)
