"""Downstream models will not heal by themselves.

## What it does
In the operation: names the incremental models below the one that is rebuilt whose own window does not reach
back to the repaired days.

## Why it is bad
The daily figures are right again, the monthly ones built from them are not, and nobody knows it.

## Example
```shell
dbt run-operation safe_backfill --args '{model: fct_daily_orders, start: 2024-01-01, end: 2024-03-01}'
```

## Use instead
```shell
dbt run-operation safe_backfill --args '{model: fct_daily_orders, start: 2024-01-01, end: 2024-03-01, cascade: downstream}'
```

## Known limits
Applies to the operation. Tables and views heal with their next run and are not named.
"""

from __future__ import annotations

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Rule

RULE = Rule("BF607", "downstream-stale", Severity.INFO, "p", __doc__)
