"""Several runs write the same model at once.

## What it does
Finds matrices, parallel steps and background commands in jobs and scripts that run one model several times at
the same time.

## Why it is bad
Two runs delete and insert the same partition, each in its own transaction. Both succeed, and the rows are
doubled: on Postgres that was seen in four tries of four.

## Example
```yaml
strategy: {matrix: {month: [1, 2, 3]}}
steps:
  - run: dbt run --select fct_orders --vars '{month: ${{ matrix.month }}}'
```

## Use instead
```shell
dbt run-operation safe_backfill --args '{model: fct_orders, start: 2024-01-01, end: 2024-04-01, run_id: q1, worker: w1}'
```
Several of these with one `run_id` share the units and never take the same one.

## Known limits
Applies to the review of scripts and jobs, not to the manifest audit.
"""

from __future__ import annotations

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Rule

RULE = Rule("BF303", "same-model-twice", Severity.BLOCK, "r", __doc__)
