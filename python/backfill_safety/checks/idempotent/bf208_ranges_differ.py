"""The range that is deleted is not the range that is inserted.

## What it does
Compares the predicate of a DELETE with the window of the INSERT that follows it, in a script's statements.

## Why it is bad
What is deleted and not inserted again is lost; what is inserted and was not deleted is doubled.

## Example
```sql
delete from mart.fct_orders where order_date >= '2024-01-01' and order_date <= '2024-02-01';
insert into mart.fct_orders select * from stg where order_date >= '2024-01-01' and order_date < '2024-02-01';
```

## Use instead
```sql
delete from mart.fct_orders where order_date >= '2024-01-01' and order_date < '2024-02-01';
insert into mart.fct_orders select * from stg where order_date >= '2024-01-01' and order_date < '2024-02-01';
```

## Known limits
Applies to the review of scripts, not to the manifest audit: there the adapter writes both statements.
"""

from __future__ import annotations

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Rule

RULE = Rule("BF208", "ranges-differ", Severity.BLOCK, "r", __doc__)
