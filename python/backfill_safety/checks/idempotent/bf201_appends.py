"""Running the same window again adds its rows again.

## What it does
Works out what the adapter really does with the model: `append`, or a merge or delete+insert that has no key and
therefore only inserts. The adapter's own default counts where no strategy is set.

## Why it is bad
A retried run, an overlapping window or a backfill leaves each row twice. Sums double, and nobody sees it until
somebody adds them up.

## Example
```sql
{{ config(materialized='incremental', incremental_strategy='append') }}
select click_id, clicked_at, page from {{ ref('stg_clicks') }}
where clicked_at >= '{{ var("start_ts") }}' and clicked_at < '{{ var("end_ts") }}'
```

## Use instead
```sql
{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='click_id') }}
```
or rebuild windows with `safe_backfill`, which replaces each unit whole and so also takes existing doubles away.

## Known limits
Not reported where only rows pass that the target lacks (`not exists`, `not in`, `except`, a left join that must
be empty), nor where a pre-hook deletes the window first, all of it as far as its dates are told. Where a strict
watermark of itself (`> max(…)`, without a look-back) is the only bound, a re-run adds nothing and this is an info.
Engines that replace doubles by themselves are BF207's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.checks.words import operation
from backfill_safety.facts.adapters import Write
from backfill_safety.facts.cleared import Cleared, cleared
from backfill_safety.facts.types import Bound, Kind, from_below

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit where the write only inserts."""
    target = facts.target
    if target.write is not Write.INSERT or target.strategy == "insert_overwrite" or not facts.live.arms:
        return
    if (
        facts.anti_joined
        or cleared(facts)[0] in (Cleared.RANGE, Cleared.MORE)
        or "replacing" in target.engine.lower()
    ):
        return
    behind = facts.only_itself and all(any(_beyond(facts, b) for b in from_below(arm)) for arm in facts.arms)
    yield Hit(
        message=f"{_how(facts)}: "
        + (
            "a re-run behind the watermark adds nothing, but a window that is asked for again is added again"
            if behind
            else "running a window again adds its rows again"
        ),
        alternative=f"{_safer(facts)}, or rebuild windows with {operation(facts)}, which replaces each unit",
        severity=Severity.INFO if behind else Severity.BLOCK,
    )


def _beyond(facts: ModelFacts, bound: Bound) -> bool:
    """Whether a watermark of itself passes no row that is already there: not with a look-back, nor from the start of its newest day."""
    if (
        Kind.ITSELF not in bound.kinds
        or bound.moved is None
        or bound.moved > 0
        or (bound.inclusive and bound.moved == 0)
    ):
        return False
    grains = [path.grain for path in bound.paths]
    if bound.cut and None in grains:
        return False
    stored = [
        (p, o.grain)
        for p in bound.paths
        for name in bound.itself
        for o in facts.live.output(name).paths
        if o.same_column(p)
    ]
    return not any(grain is not None and (p.grain is None or p.grain < grain) for p, grain in stored)


def _how(facts: ModelFacts) -> str:
    target = facts.target
    if target.strategy == "append":
        key = f" and ignores its unique_key `{', '.join(target.key_parts)}`" if target.key_parts else ""
        return (
            f"{'the strategy' if target.configured else f'{target.adapter} without a strategy'} appends{key}"
        )
    return f"{target.strategy} without a unique_key only inserts on {target.adapter}"


def _safer(facts: ModelFacts) -> str:
    target = facts.target
    if target.strategy == "append":
        merging = (
            "merge"
            if target.adapter in ("bigquery", "spark", "databricks", "trino", "athena")
            else "delete+insert"
        )
        key = "" if target.key_parts else ", unique_key=<what identifies a row>"
        return f"use `incremental_strategy='{merging}'{key}`"
    return "set `unique_key` to what identifies a row"


RULE = Rule("BF201", "appends", Severity.BLOCK, "arp", __doc__, judge)
