"""The estimate passes a limit, or there is none.

## What it does
In the operation: compares units, rows, bytes and minutes of the plan with `limits`. In scripts: says where
nothing caps what they read. On BigQuery and Athena, which bill by the bytes that are read, 100 GiB are the limit
unless `limits: {bytes}` is given.

## Why it is bad
A plan that would read 40 TB should be known before it starts, and not from the bill.

## Example
```shell
dbt run-operation safe_backfill --args '{model: fct_events, start: 2015-01-01, end: 2024-01-01}'
```

## Use instead
```shell
dbt run-operation safe_backfill --args '{model: fct_events, start: 2023-01-01, end: 2024-01-01, limits: {bytes: 200000000000}}'
```

## Known limits
Applies to the operation and to scripts; a manifest tells no sizes. A missing estimate is a warning.
"""

from __future__ import annotations

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Rule

RULE = Rule("BF505", "over-limit", Severity.BLOCK, "pr", __doc__)
