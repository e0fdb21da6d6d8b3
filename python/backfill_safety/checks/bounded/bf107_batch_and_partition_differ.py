"""The batches of a microbatch model are finer than the partitions that each of them replaces.

## What it does
Compares `batch_size` with the granularity of the partition, on engines where a batch is written by replacing
the partitions it touches (BigQuery, Spark).

## Why it is bad
A batch of one day that overwrites the month's partition leaves that day and takes the other thirty away.
BigQuery's adapter refuses to run such a model; others do not notice.

## Example
```sql
{{ config(materialized='incremental', incremental_strategy='microbatch', event_time='seen_at', batch_size='day',
          partition_by={'field': 'seen_at', 'data_type': 'timestamp', 'granularity': 'month'}) }}
```

## Use instead
```sql
{{ config(materialized='incremental', incremental_strategy='microbatch', event_time='seen_at', batch_size='month',
          partition_by={'field': 'seen_at', 'data_type': 'timestamp', 'granularity': 'month'}) }}
```

## Known limits
Where a partition column carries no granularity of its own, it is taken from what the query cuts the event time
to, the finest of several columns; what cannot be seen is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.facts.adapters import Write
from backfill_safety.facts.grain import Grain
from backfill_safety.facts.units import refined

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit where a batch replaces more than itself, or BigQuery refuses the pair."""
    target = facts.target
    size, partitioning = target.batch_size, target.partitioning
    if target.write is not Write.BATCH or target.traits.batch != "partitions" or not size or not partitioning:
        return
    told = [(c.name, grain) for c in partitioning.columns if (grain := c.grain or _grain(facts, c.name))]
    if not told:
        return
    name, grain = min(told, key=lambda pair: pair[1])
    others = (facts.live.output(n) for n in partitioning.names if n != name)
    if grain is size or refined(facts.live.output(name).paths, others):
        return
    if grain.lies_on(size):
        message = f"a batch of one {size.word} overwrites the whole {grain.word} partition of `{name}`"
    elif target.adapter == "bigquery":
        message = f"batches of a {size.word} and {grain.word} partitions of `{name}`: dbt-bigquery refuses to run this model"
    else:
        return
    yield Hit(
        message=message,
        alternative=f"make them equal: `batch_size='{grain.word}'`, or partition by {size.word}",
    )


def _grain(facts: ModelFacts, column: str) -> Grain | None:
    grains = {path.grain for path in facts.live.output(column).paths}
    return grains.pop() if len(grains) == 1 else None


RULE = Rule("BF107", "batch-and-partition-differ", Severity.BLOCK, "a", __doc__, judge)
