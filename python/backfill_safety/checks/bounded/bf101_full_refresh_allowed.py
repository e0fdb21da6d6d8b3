"""A full refresh is allowed on a model that keeps history.

## What it does
Lists incremental models whose `full_refresh` is not set to `false`. It is an overview, never an alarm by
itself.

## Why it is bad
`dbt run --full-refresh`, or `dbt build --full-refresh` with a selector that is wider than meant, drops the
table and builds it from what the sources still hold. History that they no longer have is gone, and readers find
an empty or growing table meanwhile.

## Example
```sql
{{ config(materialized='incremental', unique_key='order_id') }}
```

## Use instead
```sql
{{ config(materialized='incremental', unique_key='order_id', full_refresh=false) }}
```
A window is then rebuilt with `dbt run-operation safe_backfill`, which replaces one unit at a time.

## Known limits
Whether the sources still hold the whole history cannot be seen in a manifest; a model that can be rebuilt at
any time may keep the default.
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
    """An overview: one info for each model that may be rebuilt."""
    if facts.target.full_refresh is None:
        yield Hit(
            message=f"`--full-refresh` would drop and rebuild all history of `{facts.name}`",
            alternative=f"set `full_refresh=false` in its config(), and rebuild windows with {operation(facts)}",
        )


RULE = Rule("BF101", "full-refresh-allowed", Severity.INFO, "ap", __doc__, judge)
