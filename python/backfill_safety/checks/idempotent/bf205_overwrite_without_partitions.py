"""An overwrite without partitions replaces everything, or replaces nothing.

## What it does
Finds `insert_overwrite` (and `replace_where` without a predicate) where the adapter has no partitions to
replace: on Spark, Databricks and Snowflake the whole table is overwritten, on Athena the rows are appended, on
BigQuery the run is refused.

## Why it is bad
The query gives one window, and the table then holds that window and nothing else.

## Example
```sql
{{ config(incremental_strategy='insert_overwrite', file_format='parquet') }}
select user_id, event_day, count(*) from events where event_day = '{{ var("run_day") }}' group by 1, 2
```

## Use instead
```sql
{{ config(incremental_strategy='insert_overwrite', partition_by=['event_day'], file_format='parquet') }}
```

## Known limits
Not reported where the live branch reads everything anyhow: then the overwrite is a rebuild, and BF104 says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.checks.words import time_column
from backfill_safety.facts.adapters import Write

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit where an overwrite has no partitions and the query gives only a part."""
    target = facts.target
    if target.strategy not in ("insert_overwrite", "replace_where") or target.traits.overwrite is None:
        return
    if target.write not in (Write.TABLE, Write.INSERT, Write.UNKNOWN):
        return
    if target.write is Write.TABLE and len(facts.unbounded) == len(facts.arms):
        return
    column = time_column(facts)
    if target.adapter == "snowflake":
        how = f"insert_overwrite replaces the whole of `{facts.name}` on Snowflake by the rows of one window"
        instead = "use `incremental_strategy='delete+insert'` with a unique_key"
    elif target.write is Write.INSERT:
        how = f"insert_overwrite without partitions only appends on {target.adapter}: running a window again adds its rows again"
        instead = f"set `partitioned_by=['{column}']`"
    elif target.write is Write.UNKNOWN:
        how = f"{target.adapter} refuses insert_overwrite without `partition_by`"
        instead = f"set `partition_by={{'field': '{column}', 'data_type': 'date'}}`"
    elif target.strategy == "replace_where":
        how = f"replace_where without `incremental_predicates` replaces the whole of `{facts.name}` by the rows of one window"
        instead = f"set `incremental_predicates` to the window that the query reads, on `{column}`"
    else:
        how = f"insert_overwrite without partitions replaces the whole of `{facts.name}` by the rows of one window"
        instead = f"set `partition_by=['{column}']`"
    yield Hit(message=how, alternative=instead)


RULE = Rule("BF205", "overwrite-without-partitions", Severity.BLOCK, "a", __doc__, judge)
