"""A microbatch deletes one batch and inserts the whole parent.

## What it does
Finds microbatch models on engines that delete and insert, of whose parents none is filtered by dbt: none
declares `event_time`, or all are `.render()`ed, or those that declare it are read inside an ephemeral model.

## Why it is bad
dbt deletes the rows of the batch and inserts what the query gives, and the query gives all of history. After
thirty daily batches each row stands there thirty times.

## Example
```sql
{{ config(incremental_strategy='microbatch', event_time='hit_at', batch_size='day', begin='2024-01-01') }}
select hit_id, hit_at from {{ ref('stg_hits') }}   -- stg_hits declares no event_time
```

## Use instead
```yaml
models:
  - name: stg_hits
    config: {event_time: hit_at}
```

## Known limits
Silent where the model cuts its parent by hand to the batch that dbt gives it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.checks.words import listed
from backfill_safety.facts.adapters import Write

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit a model."""
    if facts.target.write is not Write.BATCH or facts.target.traits.batch != "delete+insert":
        return
    if facts.batch_bounded or not facts.parents:
        return
    direct = listed(p.name for p in facts.parents if not p.inside)
    yield Hit(
        message=f"each batch deletes its own {facts.target.batch_size.word if facts.target.batch_size else 'span'} and inserts all of "
        f"{direct}: after ten batches every row stands there ten times",
        alternative=f"declare `event_time` on {direct}",
    )


RULE = Rule("BF213", "whole-parent-inserted", Severity.BLOCK, "ap", __doc__, judge)
