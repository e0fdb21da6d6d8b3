"""A hook empties, drops or replaces the table.

## What it does
Finds `truncate`, `drop table`, `create or replace table`, a swap or rename and `delete` without a predicate on the
model's own table, in its hooks or `sql_header`, also inside blocks and quoted scripts.

## Why it is bad
The hook runs before or after every run, and on several engines it commits at once. If the run then fails, the
table is empty, and there is no way back.

## Example
```sql
{{ config(pre_hook="truncate table {{ this }}") }}
```

## Use instead
```sql
{{ config(incremental_strategy='delete+insert', unique_key='quota_id') }}
```
which deletes what it writes again, or `materialized='table'` where all is rebuilt.

## Known limits
Tables other than the model's own are not judged: a hook may drop its own scratch table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.facts.types import HookWrite, Verb

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts

_WORDS = {
    Verb.TRUNCATE: "empties",
    Verb.DROP: "drops",
    Verb.REPLACE: "replaces",
    Verb.DELETE: "deletes every row of",
}


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit for the first hook that destroys."""
    for write in facts.hook_writes:
        if write.target and _destroys(write):
            yield Hit(
                message=f"the {write.where} `{write.text}` {_WORDS[write.verb]} `{facts.name}` on every run: "
                "a run that fails leaves it so, "
                "and a window is all that is written back",
                alternative="leave the hook out and let the strategy replace what it writes: `delete+insert` with a unique_key",
                line=facts.rendering.config_line or 0,
            )
            return


def _destroys(write: HookWrite) -> bool:
    return write.verb in (Verb.TRUNCATE, Verb.DROP, Verb.REPLACE) or (
        write.verb is Verb.DELETE and not write.predicate
    )


RULE = Rule("BF601", "destroys", Severity.BLOCK, "ar", __doc__, judge)
