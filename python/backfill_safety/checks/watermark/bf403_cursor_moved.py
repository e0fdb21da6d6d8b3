"""A script or job moves the cursor.

## What it does
Finds statements that write to tables of cursors or progress, and commands that set the watermark of a model, in
scripts and jobs.

## Why it is bad
The live run starts where the cursor says. Put back, it reads and writes everything again; put forward, it skips
rows for ever.

## Example
```sql
update ops.load_cursor set last_value = '2024-01-01' where job_name = 'fct_clicks';
```

## Use instead
```shell
dbt run-operation safe_backfill --args '{model: fct_clicks, start: 2024-01-01, end: 2024-02-01}'
```
which leaves the cursor where it is.

## Known limits
Applies to the review of scripts and jobs, not to the manifest audit.
"""

from __future__ import annotations

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Rule

RULE = Rule("BF403", "cursor-moved", Severity.BLOCK, "r", __doc__)
