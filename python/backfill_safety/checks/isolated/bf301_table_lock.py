"""A hook locks the table while the model runs.

## What it does
Finds `lock table` and exclusive locking hints in the model's hooks, whatever macro they come from.

## Why it is bad
The lock is held until the transaction ends. In a backfill that is the whole batch: the live run waits, and so
does every reader, and what waits long enough fails.

## Example
```sql
{{ config(pre_hook="lock table {{ this }} in access exclusive mode") }}
```

## Use instead
Nothing: one unit a transaction needs no lock on the table, and the leases of `safe_backfill` keep two writers
apart.
```sql
{{ config(pre_hook="{{ backfill_safety.live_run_begins() }}", post_hook="{{ backfill_safety.live_run_ends() }}") }}
```

## Known limits
Shared modes that stop no writer and no reader are not reported. Locks that an engine takes by itself are not
seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.checks.words import short
from backfill_safety.facts.types import Verb

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit for the first lock."""
    for write in facts.hook_writes:
        if write.verb is Verb.LOCK:
            yield Hit(
                message=f"the {write.where} `{write.text}` locks `{short(write.table)}` for the whole run: the live run and "
                "every reader wait",
                alternative="leave it out; `backfill_safety.live_run_begins()` as a pre-hook keeps two writers apart without a lock",
                line=facts.rendering.config_line or 0,
            )
            return


RULE = Rule("BF301", "table-lock", Severity.BLOCK, "ar", __doc__, judge)
