"""The bound on a partition column is a subquery that the engine cannot prune by.

## What it does
Finds bounds on a column that a parent declares as its partition, whose value is a subquery, on engines that
choose partitions before they run one (BigQuery).

## Why it is bad
All partitions are read, and billed, to throw most of them away.

## Example
```sql
where day >= (select max(day) from {{ this }})
```

## Use instead
```sql
where day >= _dbt_max_partition
```
or `where {{ backfill_safety.window('day') }}`, which writes the watermark as a literal.

## Known limits
Only declared partitions count: `partition_by` of a parent model, `meta.partition_by` of a source.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.checks.words import window_filter
from backfill_safety.facts.types import Side

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit for the first partition column that only subqueries bound below."""
    if facts.target.traits.prunes_subquery:
        return
    for parent in facts.parents:
        for column in parent.partition:
            found = [
                b for b in facts.live.bounds for p in b.paths if p.table == parent.key and p.column == column
            ]
            below = [b for b in found if b.side is Side.LOWER]
            if not below or not all(b.in_subquery for b in below):
                continue
            yield Hit(
                message=f"`{below[0].column}` of {parent.name} is bounded by a subquery: {facts.target.adapter} chooses partitions before "
                "it runs one, and reads them all",
                alternative=f"give a literal: {window_filter(column)}, or `_dbt_max_partition` with insert_overwrite",
                line=facts.line(below[0].line),
            )
            return


RULE = Rule("BF502", "subquery-bound", Severity.WARN, "a", __doc__, judge)
