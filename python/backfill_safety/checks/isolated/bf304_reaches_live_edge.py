"""The window reaches into partitions that the live run may write.

## What it does
In the operation and in scripts: compares the end of the window with the live edge, the newest partition or the
cursor of the live run.

## Why it is bad
A backfill and a live run that replace the same partition at the same time lose or double its rows, whichever
commits last.

## Example
```shell
dbt run-operation safe_backfill --args '{model: fct_orders, start: 2024-01-01, end: <tomorrow>}'
```

## Use instead
```shell
dbt run-operation safe_backfill --args '{model: fct_orders, start: 2024-01-01, end: <yesterday>}'
```
or pause the schedule and say `live: paused`, or give the model the hooks `live_run_begins` and `live_run_ends`.

## Known limits
The live edge is known only where the watermark column is the partition column. Applies to the operation and to
scripts, not to the audit.
"""

from __future__ import annotations

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Rule

RULE = Rule("BF304", "reaches-live-edge", Severity.BLOCK, "rp", __doc__)
