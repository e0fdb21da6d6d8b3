"""The live schedule is pointed at an old start.

## What it does
Finds jobs and scripts that give the scheduled run of a model an old start: a var, a lookback, a watermark
override on the live job itself.

## Why it is bad
The job that keeps the table fresh now works on last year. Today waits, its cursor may move, and when somebody
forgets to put the start back it works on last year again tomorrow.

## Example
```yaml
- schedule: "0 * * * *"
  command: dbt run --select fct_orders --vars '{start_date: 2023-01-01}'
```

## Use instead
```shell
dbt run-operation safe_backfill --args '{model: fct_orders, start: 2023-01-01, end: 2023-03-01}'
```
beside the schedule, which stays as it is.

## Known limits
Applies to the review of scripts and jobs, not to the manifest audit.
"""

from __future__ import annotations

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Rule

RULE = Rule("BF302", "live-schedule-repointed", Severity.BLOCK, "r", __doc__)
