"""A parent of a microbatch model is read whole for every batch.

## What it does
Looks at each parent that the model reads: dbt filters it to the batch only where it declares `event_time` and
is not `.render()`ed. What an ephemeral parent reads is not filtered: `event_time` belongs on the ephemeral model.

## Why it is bad
A backfill of sixty daily batches reads the parent sixty times. Where no parent is filtered at all, a batch is
not even a batch.

## Example
```sql
select e.event_id, e.seen_at, c.tier from {{ ref('stg_events') }} e
left join {{ ref('stg_customer_rows').render() }} c using (customer_id)
```

## Use instead
```yaml
models:
  - name: stg_customer_rows
    config: {event_time: valid_from}
```
and `{{ ref('stg_customer_rows') }}`, or leave a small look-up as it is.

## Known limits
Block where no parent is filtered. Beside a filtered one: a warning where a parent declares `event_time` and the
model takes the filter off, an info where it declares none, since small look-ups are read whole on purpose.
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
    """A block where nothing is filtered, else one hit for each parent that is read whole."""
    if not facts.target.microbatch or not facts.parents:
        return
    size = facts.target.batch_size.word if facts.target.batch_size else "batch"
    if not facts.batch_bounded:
        names = listed(p.name for p in facts.parents if not p.inside)
        yield Hit(
            message=f"no parent is filtered to the batch: each {size} reads all of {names}",
            alternative=f"declare `event_time` on {names}" + _unrender(facts),
            line=facts.parents[0].line,
        )
        return
    for parent in facts.parents:
        if parent.inside and not facts.by_hand:
            yield Hit(
                message=f"`{parent.name}` is read inside an ephemeral model, where dbt filters nothing: each {size} reads all of it",
                alternative="leave it if it is a small look-up, else read it directly",
                severity=Severity.INFO,
            )
        elif parent.rendered and parent.event_time:
            yield Hit(
                message=f"`.render()` takes `{parent.name}` out of the filter on `{parent.event_time}`: each {size} reads all of it",
                alternative=f"write `{{{{ {parent.call} }}}}` without `.render()`",
                severity=Severity.WARN,
                line=parent.line,
            )
        elif not parent.event_time and not facts.by_hand:
            yield Hit(
                message=f"`{parent.name}` declares no event_time: each {size} reads all of it",
                alternative="leave it if it is a small look-up, else declare its `event_time`",
                severity=Severity.INFO,
                line=parent.line,
            )


def _unrender(facts: ModelFacts) -> str:
    return ", and leave `.render()` out" if any(p.rendered for p in facts.parents) else ""


RULE = Rule("BF503", "unfiltered-parent", Severity.BLOCK, "ap", __doc__, judge)
