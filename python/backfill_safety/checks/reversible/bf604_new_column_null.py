"""A new column stays NULL in the rows that are already there.

## What it does
Lists models whose `on_schema_change` adds columns: `append_new_columns` or `sync_all_columns`.

## Why it is bad
It is a note: after a column has been added, only new rows hold it. Sums over the old ones are wrong without any
error until they are rebuilt.

## Example
```sql
{{ config(materialized='incremental', unique_key='order_id', on_schema_change='append_new_columns') }}
```

## Use instead
Nothing in the model; after adding a column rebuild the window in which it matters:
```shell
dbt run-operation safe_backfill --args '{model: fct_orders, start: 2024-01-01, end: 2024-07-01}'
```

## Known limits
A manifest does not tell which columns the table already has. In a plan made for a new column this is a warning; where
the table's type of a column cannot hold what the model gives (an integer for fractions, a date for times) it blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.checks.words import operation

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """An overview: one info a model."""
    if facts.target.on_schema_change in ("append_new_columns", "sync_all_columns"):
        yield Hit(
            message=f"a column that is added stays NULL in old rows (`on_schema_change='{facts.target.on_schema_change}'`)",
            alternative=f"after adding one, rebuild the window in which it matters: {operation(facts)}",
        )


RULE = Rule("BF604", "new-column-null", Severity.INFO, "ap", __doc__, judge)
