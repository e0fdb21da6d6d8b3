"""`full_refresh: true` rebuilds the model on every run.

## What it does
Finds incremental models whose configuration sets `full_refresh` to true, in `config()`, a properties file or
through a var.

## Why it is bad
The setting overrides the command line: each scheduled run drops the table and builds it from what the filter
lets through. History outside the filter is lost on the first run.

## Example
```sql
{{ config(materialized='incremental', unique_key='order_id', full_refresh=true) }}
```

## Use instead
```sql
{{ config(materialized='incremental', unique_key='order_id', full_refresh=false) }}
```
If the model is meant to be rebuilt each time, say so: `materialized='table'`.

## Known limits
A var is judged by the value it has under the given vars, or by its default.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit where the setting is true."""
    if facts.target.full_refresh:
        yield Hit(
            message=f"`full_refresh` is true: every run drops `{facts.name}` and builds it from what its filter lets through",
            alternative="set `full_refresh=false`, or `materialized='table'` if it is meant to be rebuilt each time",
        )


RULE = Rule("BF103", "full-refresh-always", Severity.BLOCK, "a", __doc__, judge)
