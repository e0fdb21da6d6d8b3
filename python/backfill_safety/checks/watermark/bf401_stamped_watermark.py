"""The watermark column is stamped with the time of the run.

## What it does
Finds models whose live run reads from `max(column)` of the target on, where the model itself fills that column
with the clock.

## Why it is bad
The column says when a row was written, not how far the source was read. A backfill writes old rows with a new
stamp, and the next live run starts behind source rows that nobody has read. The same happens to whatever
arrives while a run is under way.

## Example
```sql
select order_id, status, current_timestamp as loaded_at from {{ source('shop', 'orders') }}
{% if is_incremental() %} where ingested_at > (select max(loaded_at) from {{ this }}) {% endif %}
```

## Use instead
```sql
select order_id, status, ingested_at, current_timestamp as loaded_at from {{ source('shop', 'orders') }}
{% if is_incremental() %} where ingested_at > (select max(ingested_at) from {{ this }}) {% endif %}
```

## Known limits
A stamp that nothing reads back is harmless and is not reported. A column that is stamped in a parent and passed
on is not followed into it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.facts.types import Kind

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit for the first stamped watermark."""
    if not facts.reads_own_mark:
        return
    for bound in facts.live.bounds:
        if Kind.ITSELF not in bound.kinds:
            continue
        for column in bound.itself:
            output = facts.live.output(column)
            if not output.stamp:
                continue
            source = bound.paths[0].column if bound.paths else bound.column
            yield Hit(
                message=f"`{column}` is stamped with the time of the run and is also the watermark: rows that are written again carry "
                f"max({column}) past rows of the source that were never read",
                alternative=f"store `{source}` as well and start from `max({source})`",
                curable_by_run=False,
                line=facts.line(output.line) or facts.line(bound.line),
            )
            return


RULE = Rule("BF401", "stamped-watermark", Severity.BLOCK, "ap", __doc__, judge)
