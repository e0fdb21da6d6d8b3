"""The window comes only from the clock.

## What it does
Finds models whose live run is bounded below by the time of the run and by nothing that can be set: no var for
the moment, no watermark.

## Why it is bad
Every run processes the days before *now*. A past window cannot be asked for: a backfill in ten steps would
process today ten times, and a run that comes too late leaves a gap that nothing fills.

## Example
```sql
{% if is_incremental() %}
where day >= date_sub(current_date(), interval 1 day) and day < current_date()
{% endif %}
```

## Use instead
```sql
where {{ backfill_safety.window('day', lookback='1 day') }}
```
or two vars whose defaults are the clock's: `where day >= '{{ var("start_date", yesterday) }}' and day < '{{
var("end_date", today) }}'`.

## Known limits
A var that sets only the length of the look-back does not make a past window possible, and is reported all the
same. A block when a window is judged. `safe_backfill` renders the first branch and needs no change to the
model.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.checks.words import operation, window_filter
from backfill_safety.facts.types import Kind, from_below

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit a model where the clock is all that bounds it below."""
    if facts.target.microbatch or facts.window_by_var:
        return
    for arm in facts.arms:
        below = from_below(arm)
        if (
            not below
            or arm.unknown
            or any(b.kinds & {Kind.VAR, Kind.ITSELF, Kind.OTHER, Kind.UNKNOWN} for b in below)
        ):
            continue
        bound = next((b for b in below if Kind.CLOCK in b.kinds), None)
        if bound is None:
            continue
        asked = (
            f"; the window {facts.request.text} would be read as today's"
            if facts.planned and facts.request
            else ""
        )
        yield Hit(
            message=f"only the clock opens the window, `{bound.column}` from `{bound.value}`: a past window cannot be asked for{asked}",
            alternative=f"rebuild old windows with {operation(facts)}, or import the window: "
            f"{window_filter(bound.paths[0].column if bound.paths else bound.column)}",
            severity=Severity.BLOCK if facts.planned else Severity.WARN,
            line=facts.line(bound.line),
        )
        return


RULE = Rule("BF109", "clock-window", Severity.WARN, "ar", __doc__, judge)
