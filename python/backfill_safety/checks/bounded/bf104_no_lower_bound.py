"""The live run reads history without a lower bound.

## What it does
Follows the live branch (`is_incremental()` true) through CTEs, subqueries, unions, joins, ephemeral parents and
macros, and looks for a stream of rows that nothing bounds below: no var, clock, watermark or subquery. A fixed
date in the text is a beginning, not a bound.

## Why it is bad
Every run, and every unit of a backfill, reads the whole history again. It costs the same for one day as for ten
years, and a merge of everything takes locks for as long.

## Example
```sql
{{ config(materialized='incremental', unique_key='contact_id') }}
select contact_id, email, updated_at from {{ source('crm', 'contacts') }}
```

## Use instead
```sql
select contact_id, email, updated_at from {{ source('crm', 'contacts') }}
where {{ backfill_safety.window('updated_at', lookback='1 day') }}
```

## Known limits
Block where the model holds events: it is partitioned, has an `event_time`, or a date or time shows by type or
name; else a warning, since a short list may well be merged whole. A look-up table read whole beside a bounded
stream is not reported. An anti-join with the target that reads everything is a warning. For microbatch models
BF503 takes this rule's place, and BF103 where every run is a full refresh.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.checks.words import listed, short, time_column, window_filter

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit a model, naming the streams that are read from the beginning."""
    if facts.target.microbatch or not facts.unbounded or facts.window_by_var or facts.stamped_identity:
        return
    if facts.target.full_refresh:  # BF103 says it: there is no live branch
        return
    sources = listed(short(arm.source) for arm in facts.unbounded)
    part = "" if len(facts.unbounded) == len(facts.arms) else "one arm of the union: "
    evidence = facts.event_evidence
    anti = facts.anti_joined
    severity = Severity.BLOCK if evidence and not anti else Severity.WARN
    message = f"{part}every run reads all of {sources}; nothing bounds it below"
    if any(arm.lower for arm in facts.unbounded):
        fixed = next(b for arm in facts.unbounded for b in arm.lower)
        message += f" but the fixed `{fixed.value}`"
    if anti:
        message += ", to find the rows that the target lacks"
    column = time_column(facts)
    yield Hit(
        message=message + (f" ({evidence})" if evidence else ""),
        alternative=f"bound it in the live branch: {window_filter(column)}",
        severity=severity,
    )


RULE = Rule("BF104", "no-lower-bound", Severity.BLOCK, "ar", __doc__, judge)
