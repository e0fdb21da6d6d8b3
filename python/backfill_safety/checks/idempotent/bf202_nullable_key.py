"""A column of the key can be NULL, so its rows are inserted again.

## What it does
Follows each column of `unique_key` to where it comes from and looks for evidence that it can be NULL: the
optional side of an outer join, the totals of a `rollup`, `nullif`, `try_cast`, a CASE without ELSE, `lag` without
a default, a NULL literal in one arm of a union.

## Why it is bad
NULL equals nothing, not even NULL. A merge or a delete by key never finds such a row, so each run adds it once
more.

## Example
```sql
{{ config(unique_key=['day', 'region']) }}
select s.day, r.region, sum(s.amount) from sales s left join regions r on r.store_id = s.store_id group by 1, 2
```

## Use instead
```sql
select s.day, coalesce(r.region, 'unknown') as region, sum(s.amount) …
```

## Known limits
Silent where a `not_null` test or constraint stands on the column, or where the query drops the NULLs. A column
that is NULL in the source itself cannot be told. Some engines match NULLs in a merge when told to; this rule
does not know that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit for the key, about its first column that can be NULL."""
    if not facts.target.by_key:
        return
    tested = facts.manifest.not_null.get(facts.node.unique_id, frozenset())
    declared = {c.name.lower() for c in facts.node.columns.values() if c.not_null}
    for output in facts.key_outputs:
        reason = "" if output.name in tested or output.name in declared else facts.live.nullable(output.name)
        if not reason:
            continue
        yield Hit(
            message=f"`{output.name}` is part of the unique_key and can be NULL: {reason}. "
            "NULL matches nothing, so those rows are added on every run",
            alternative=f"give it a stand-in, `coalesce(…, 'unknown') as {output.name}`, or drop such rows",
            line=facts.line(output.line),
        )
        return


RULE = Rule("BF202", "nullable-key", Severity.WARN, "a", __doc__, judge)
