"""Readers can see a unit half-written.

## What it does
Says where an engine, an adapter's strategy or a script replaces a unit in several steps that commit one by one.

## Why it is bad
Between the delete and the insert the day is empty. A dashboard that is refreshed then shows it so, and a crash
leaves it so.

## Example
```sql
delete from mart.fct_orders where order_date = '2024-01-05';
insert into mart.fct_orders select * from stg where order_date = '2024-01-05';
```

## Use instead
```sql
begin;
delete from mart.fct_orders where order_date = '2024-01-05';
insert into mart.fct_orders select * from stg where order_date = '2024-01-05';
commit;
```
or `mode: staged`, where the engine has no transactions.

## Known limits
In the audit it is an info: every run of such a model has the gap, not only one over old windows. Told where an
adapter's own macros show it: delete+insert on Trino and ClickHouse, insert_overwrite on Athena, microbatch on these
and on Snowflake. What an engine does inside one statement is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.facts.adapters import Write

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts

_INSTEAD = {
    "trino": "`incremental_strategy='merge'` with a unique_key is one statement",
    "athena": "an Iceberg table with `incremental_strategy='merge'` is replaced in one statement",
    "clickhouse": "`incremental_strategy='insert_overwrite'` replaces whole partitions at once",
    "snowflake": "`incremental_strategy='delete+insert'` with a window of vars runs in one transaction",
}


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit where the adapter writes in steps."""
    target = facts.target
    if target.write not in target.traits.in_steps:
        return
    how = "overwrites" if target.write is Write.PARTITIONS else "deletes and inserts"
    yield Hit(
        message=f"{target.adapter} {how} in steps that commit one by one: readers see the rows gone between them, and a run that is "
        "killed there leaves them gone until it is run again",
        alternative=_INSTEAD.get(target.traits.dialect, "a strategy that writes in one statement"),
        severity=Severity.INFO,
    )


RULE = Rule("BF305", "half-written-unit", Severity.WARN, "arp", __doc__, judge)
