"""The bounds and the column are days of different time zones.

## What it does
Compares the zone in which the query cuts a time into days with the zone in which it bounds the same time, where
both are written down.

## Why it is bad
A window of UTC days holds neither the first hours nor the last ones of a New York day. The days at its two ends
come out short, and a unit that is rebuilt alone loses rows to its neighbours.

## Example
```sql
select date(ordered_at, 'America/New_York') as order_day, …
where date(ordered_at, 'UTC') >= '{{ var("start_date") }}'
```

## Use instead
```sql
where date(ordered_at, 'America/New_York') >= '{{ var("start_date") }}'
```

## Known limits
A column's own zone and the session's are not in the manifest, so a bare column or bound is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.facts.grain import Grain

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit for the first pair that differs."""
    if not facts.live.names_zones:
        return
    zoned = [b for b in facts.live.bounds if any(p.zone for p in b.paths)]
    for name in facts.live.names if zoned else ():
        for path in facts.live.output(name).paths:
            if path.zone is None or path.grain is None or path.grain < Grain.DAY:
                continue
            for bound in zoned:
                for other in bound.paths:
                    if other.zone is None or not other.same_column(path) or _same(other.zone, path.zone):
                        continue
                    yield Hit(
                        message=f"`{name}` is a {path.grain.word} of {path.zone}, but `{path.column}` is bounded by days of {other.zone}: "
                        "the days at both ends of a window come out short",
                        alternative=f"bound it in the zone of `{name}`, {path.zone}",
                        line=facts.line(bound.line),
                    )
                    return


def _same(one: str, other: str) -> bool:
    utc = {"utc", "etc/utc", "gmt", "z", "+00:00"}
    return one.lower() == other.lower() or {one.lower(), other.lower()} <= utc


RULE = Rule("BF210", "time-zones", Severity.WARN, "ar", __doc__, judge)
