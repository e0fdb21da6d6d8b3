"""The model stores the state of today; its past cannot be rebuilt.

## What it does
Finds models whose rows are told apart by the time of the run: the key, the partition or the event time is
`current_date` or hashed from it, or all of a source is appended with a stamp.

## Why it is bad
The source only knows how things are now. A backfill of last March would write today's state under today's date,
or under March's, and a full refresh throws the collected past away.

## Example
```sql
{{ config(unique_key='snap_key') }}
select md5(concat(current_date, deal_id)) as snap_key, current_date as snap_day, deal_id, stage from {{ source('crm', 'deals') }}
```

## Use instead
```sql
{{ config(unique_key='snap_key', full_refresh=false) }}
```
and no backfill at all; a dbt snapshot keeps the changes themselves.

## Known limits
A stamp that is neither key nor partition is only an audit column and is not reported. No way of running the
model cures this: the verdict is BLOCK.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.checks.words import listed

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit a model."""
    stamped = facts.stamped_identity
    if stamped:
        keep = (
            ""
            if facts.target.full_refresh is False
            else "set `full_refresh=false` so that the collected past stays, and "
        )
        yield Hit(
            message=f"{listed(o.name for o in stamped)} is the time of the run: each run stores the state of today, and no past day can be "
            "rebuilt from the source",
            alternative=f"{keep}do not backfill it; a snapshot keeps changes themselves",
            curable_by_run=False,
            line=facts.line(stamped[0].line),
        )


RULE = Rule("BF602", "state-of-today", Severity.BLOCK, "ap", __doc__, judge)
