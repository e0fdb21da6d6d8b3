"""The rows differ from run to run though the inputs do not.

## What it does
Looks for random numbers and new UUIDs, row numbers and first values in no order (or in the order of the
partition's own keys), limits without an order, samples, and `distinct on` without an order.

## Why it is bad
A second run of the same window gives other rows, so no comparison can prove it right. As the key it is worse:
nothing ever matches, and each run adds all rows again.

## Example
```sql
{{ config(unique_key='row_id') }}
select uuid_string() as row_id, visitor_id, viewed_on from page_hits
```

## Use instead
```sql
select md5(visitor_id || '|' || viewed_on || '|' || path) as row_id, …
```
and an order that settles every tie: `row_number() over (partition by id order by updated_at desc, source_row)`.

## Known limits
Block where the key itself is unstable, else a warning. Whether an order settles every tie cannot be seen in a
manifest. The clock is not this rule's: see BF401 and BF602.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.facts.adapters import Write

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts

_WHY = {
    "random": "gives other values on each run",
    "unordered": "picks in no order that tells its rows apart",
    "limit": "without an order takes any rows",
    "sample": "draws other rows on each run",
}
_INSTEAD = {
    "random": "derive the value from the row: `md5(<the columns that identify it>)`",
    "unordered": "order by what tells the rows apart: `order by updated_at desc, <a unique column>`",
    "limit": "order by a unique column before the limit, or bound the rows by time",
    "sample": "sample by a hash of the key: `mod(hash(<key>), 100) < 10`",
}


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """A block for an unstable key, else one warning about the first unstable part."""
    for output in facts.key_outputs:
        if output.random and facts.target.write in (Write.MERGE, Write.DELETE_INSERT):
            yield Hit(
                message=f"`{output.name}` is part of the unique_key and differs on each run: no row is ever found again, and each "
                "run adds all of them",
                alternative="make the key from the row itself: `md5(<the columns that identify it>)`",
                severity=Severity.BLOCK,
                line=facts.line(output.line),
            )
            return
    for part in facts.live.unstable:
        yield Hit(
            message=f"`{part.text}` {_WHY[part.what]}: the same window gives other rows when it is run again",
            alternative=_INSTEAD[part.what],
            line=facts.line(part.line),
        )
        return


RULE = Rule("BF203", "unstable-rows", Severity.WARN, "ar", __doc__, judge)
