"""There is no way back: no backup is kept of what is replaced.

## What it does
In the operation: says that `backup: false` was asked for, and, on Postgres, what hangs on the table that no backup
of its rows could keep. A foreign key that refers to it is a block: by its `on delete`, deleting a row deletes or
changes rows of another table, or is refused. A row policy that holds for the role is a block as well: rows that it
does not see would stay, and may be written a second time. Triggers, and a role that does not own the table, are
warnings. In scripts: finds statements that delete or replace rows and keep no copy of them.

## Why it is bad
The bug that is being repaired was found late; so may be the one that the repair brings. Without the old rows
nobody can compare or undo.

## Example
```shell
dbt run-operation safe_backfill --args '{model: fct_orders, start: 2024-01-01, end: 2024-02-01, backup: false}'
```

## Use instead
```shell
dbt run-operation safe_backfill --args '{model: fct_orders, start: 2024-01-01, end: 2024-02-01}'
```
and `cleanup_backfills` when the result has been seen to be right.

## Known limits
Applies to the operation and to scripts, not to the manifest audit. What hangs on a table is looked up on Postgres
alone; a foreign key of the table to itself is not reported. Engines with time travel keep a way back of
their own, for some days.
"""

from __future__ import annotations

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Rule

RULE = Rule("BF606", "no-way-back", Severity.WARN, "pr", __doc__)
