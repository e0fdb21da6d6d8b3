"""A job, script or command runs a full refresh.

## What it does
Finds `--full-refresh` (and `-f`) in the commands of scripts, job files and CI workflows, and names the
incremental models that the command's selection would rebuild.

## Why it is bad
Every selected incremental model is dropped and built from what its sources still hold, in one statement: the
whole history at once, with no way to stop half-way and no way back.

## Example
```shell
dbt build --full-refresh --select fct_daily_orders+
```

## Use instead
```shell
dbt run-operation safe_backfill --args '{model: fct_daily_orders, start: 2024-01-01, end: 2024-03-01}'
```

## Known limits
Applies to the review of scripts and jobs, not to the manifest audit. Without a manifest the models that a
selection means cannot be named.
"""

from __future__ import annotations

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Rule

RULE = Rule("BF102", "full-refresh-command", Severity.BLOCK, "r", __doc__)
