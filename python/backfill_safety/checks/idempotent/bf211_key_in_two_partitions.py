"""A key would stand in two partitions after the run: a row whose date changed.

## What it does
In the operation: counts, before a unit is committed, the keys of the new rows that also stand in the target
outside of the unit.

## Why it is bad
A row was dated the 3rd and is now dated the 5th. Rebuilding the 5th alone writes it there, and the old one on
the 3rd stays: the key is there twice, and sums count it twice.

## Example
```shell
dbt run-operation safe_backfill --args '{model: fct_orders, start: 2024-01-05, end: 2024-01-06}'
```

## Use instead
```shell
dbt run-operation safe_backfill --args '{model: fct_orders, start: 2024-01-03, end: 2024-01-06}'
```
which rebuilds both days.

## Known limits
Applies to the operation, which can ask the warehouse; the manifest audit cannot.
"""

from __future__ import annotations

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Rule

RULE = Rule("BF211", "key-in-two-partitions", Severity.BLOCK, "p", __doc__)
