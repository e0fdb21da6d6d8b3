"""An empty target blocks itself: its maximum is NULL.

## What it does
Finds watermarks on the target's own rows that nothing stands in for when there are none, beside another bound.

## Why it is bad
After the table has been emptied, or its newest part cut away, `max(day)` is NULL, `day > NULL` is never true,
and every run adds nothing and reports success.

## Example
```sql
where ticked_on >= (select max(ticked_on) from {{ this }}) and ticked_on < '{{ var("end_date") }}'
```

## Use instead
```sql
where ticked_on >= (select coalesce(max(ticked_on), date '2015-01-01') from {{ this }}) and ticked_on < '{{ var("end_date") }}'
```

## Known limits
Where the watermark is the only bound, BF105 says the one thing that is said about it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.facts.types import Kind, from_below

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit a model."""
    if facts.only_itself:
        return
    for arm in facts.arms:
        for bound in from_below(arm):
            if bound.kinds != {Kind.ITSELF} or bound.guarded:
                continue
            column = bound.itself[0] if bound.itself else bound.column
            yield Hit(
                message=f"when `{facts.name}` is empty, max({column}) is NULL and `{bound.column}` passes no row: it never fills again",
                alternative=f"give it a start: `coalesce(max({column}), <the first date>)`",
                line=facts.line(bound.line),
            )
            return


RULE = Rule("BF605", "empty-target-blocks-itself", Severity.WARN, "a", __doc__, judge)
