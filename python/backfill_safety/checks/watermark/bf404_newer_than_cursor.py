"""A unit holds rows newer than the cursor and would carry it past rows that were never read.

## What it does
In the operation: compares the newest watermark value of each unit's new rows with the cursor recorded at the
start. Such a unit is left as it was and reported as deferred.

## Why it is bad
The live run reads from `max(updated_at)` on. A backfilled row that was updated a minute ago moves that maximum
past other rows of the same minute that the live run has not seen.

## Example
```shell
dbt run-operation safe_backfill --args '{model: fct_orders, start: 2024-01-01, end: 2024-02-01}'
```
while orders of January are still being changed.

## Use instead
Let the live run catch up, then resume the same run: the deferred units are done then.

## Known limits
Applies to the operation, which can ask the warehouse. A block when every unit is deferred.
"""

from __future__ import annotations

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Rule

RULE = Rule("BF404", "newer-than-cursor", Severity.WARN, "p", __doc__)
