"""A script rewrites the target without a window, or many units without a commit between.

## What it does
Looks at each statement of a script that inserts, updates, merges or deletes: does it name a window? And at
transactions, blocks and loops: do they hold many units before they commit?

## Why it is bad
One statement over everything, or one transaction around sixty days, holds its locks to the end, cannot be
stopped half-way without losing all of it, and leaves nothing to resume from.

## Example
```sql
begin;
delete from mart.fct_orders where order_date >= '2020-01-01';
insert into mart.fct_orders select * from staging.orders;
commit;
```

## Use instead
```shell
dbt run-operation safe_backfill --args '{model: fct_orders, start: 2020-01-01, end: 2024-01-01}'
```
or a loop that commits after each day.

## Known limits
Applies to the review of scripts and jobs, not to the manifest audit. A small look-up table that is rewritten
whole may be meant so.
"""

from __future__ import annotations

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Rule

RULE = Rule("BF106", "unbounded-statement", Severity.BLOCK, "r", __doc__)
