"""A function or cast around the partition column defeats pruning.

## What it does
Finds bounds on a column that a parent declares as its partition, where the column stands inside a function and
no bare bound on it stands beside.

## Why it is bad
The engine cannot tell which partitions a function of the column lies in, and reads them all. On BigQuery one
cast turned 137 MB into 736 GB; a backfill pays that once a unit.

## Example
```sql
where format_timestamp('%Y%m%d', pinged_at) >= '{{ var("start_day") }}'
```

## Use instead
```sql
where pinged_at >= timestamp(parse_date('%Y%m%d', '{{ var("start_day") }}'))
```

## Known limits
Only partitions that are declared count: `partition_by` of a parent model, `meta.partition_by` of a source.
Engines that prune through functions of time (Snowflake, DuckDB, Trino, ClickHouse) are not reported, nor is
`date(…)` on BigQuery.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.facts.types import Bound, Path

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts

_HARMLESS = {"bigquery": {"date", "timestamp"}}


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit for the first wrapped partition column."""
    if facts.target.traits.prunes_wrapped:
        return
    for parent in facts.parents:
        for column in parent.partition:
            found = [
                (b, p)
                for b in facts.live.bounds
                for p in b.paths
                if p.table == parent.key and p.column == column
            ]
            wrapped = [(b, p) for b, p in found if _wraps(facts, p)]
            if not wrapped or len(wrapped) < len(found):
                continue
            bound, path = wrapped[0]
            yield Hit(
                message=f"`{bound.column}` hides the partition column `{column}` of {parent.name} inside {_wraps(facts, path)[0]}(): "
                f"every run and every unit reads all its partitions",
                alternative=f"bound the bare column and put the function on the other side: `{column} {_sign(bound)} …`",
                line=facts.line(bound.line),
            )
            return


def _wraps(facts: ModelFacts, path: Path) -> tuple[str, ...]:
    harmless = _HARMLESS.get(facts.target.adapter, set())
    return tuple(name for name in path.wraps if name not in harmless)


def _sign(bound: Bound) -> str:
    return ">=" if bound.side.value == "lower" else "<"


RULE = Rule("BF501", "wrapped-column", Severity.WARN, "ar", __doc__, judge)
