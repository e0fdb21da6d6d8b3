"""Readers can see a unit half-written.

## What it does
Says where an engine or a script replaces a unit in several steps that commit one by one.

## Why it is bad
Between the delete and the insert the day is empty. A dashboard that is refreshed then shows it so, and a crash
leaves it so.

## Example
```sql
delete from mart.fct_orders where order_date = '2024-01-05';
insert into mart.fct_orders select * from stg where order_date = '2024-01-05';
```

## Use instead
```sql
begin;
delete from mart.fct_orders where order_date = '2024-01-05';
insert into mart.fct_orders select * from stg where order_date = '2024-01-05';
commit;
```
or `mode: staged`, where the engine has no transactions.

## Known limits
Applies to scripts and to the operation; what an adapter does in a run of its own is not judged here.
"""

from __future__ import annotations

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Rule

RULE = Rule("BF305", "half-written-unit", Severity.WARN, "rp", __doc__)
