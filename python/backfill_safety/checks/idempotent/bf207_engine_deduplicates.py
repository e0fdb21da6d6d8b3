"""The table's engine removes doubles by its own rules, so a re-run may lose rows or keep them.

## What it does
Finds ClickHouse models on replicated engines that delete and insert, and models on replacing engines that
append.

## Why it is bad
A replicated table remembers the checksums of the blocks that it took lately and drops an identical one: delete
a window, insert the same rows again, and the insert is taken for a retry. A replacing table merges doubles away
at a time of its own choosing, so readers count them twice until then.

## Example
```sql
{{ config(incremental_strategy='delete_insert', unique_key='(day, shop)', engine="ReplicatedMergeTree('/t/{shard}', '{replica}')") }}
```

## Use instead
```sql
{{ config(incremental_strategy='insert_overwrite', partition_by='day', engine="ReplicatedMergeTree('/t/{shard}', '{replica}')") }}
```
or set `insert_deduplicate=0` for the backfill; read replacing tables with `final`.

## Known limits
Whether the server's settings switch deduplication off cannot be seen in a manifest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.facts.adapters import Write

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit by engine and write."""
    target = facts.target
    engine = target.engine.lower()
    if target.adapter != "clickhouse" or not engine:
        return
    name = target.engine.partition("(")[0]
    if engine.startswith(("replicated", "shared")) and target.write is Write.DELETE_INSERT:
        yield Hit(
            message=f"{name} drops a block that it has lately seen: a window that is deleted and inserted again unchanged loses its rows",
            alternative="use `incremental_strategy='insert_overwrite'` by partition, or `insert_deduplicate=0` for the backfill",
        )
    elif "replacing" in engine and target.write is Write.INSERT and not facts.anti_joined:
        yield Hit(
            message=f"{name} keeps the rows of a re-run beside the old ones until it merges them away",
            alternative="read the table with `final`, or use `incremental_strategy='delete_insert'`",
        )


RULE = Rule("BF207", "engine-deduplicates", Severity.WARN, "a", __doc__, judge)
