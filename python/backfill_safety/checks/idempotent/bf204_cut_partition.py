"""The window cuts a unit that is replaced whole.

## What it does
Compares where the bounds lie with what one write replaces: a partition under an overwrite, all rows of a day under a delete by day, one
total a day under a merge of totals. Looks at the bound's value (six hours before now, the newest timestamp, a given 06:00) and at the
column it is put on.

## Why it is bad
The whole day is taken away and only its last hours are written back. Nothing fails, the day is just smaller.

## Example
```sql
{{ config(incremental_strategy='insert_overwrite', partition_by={'field': 'hit_date', 'data_type': 'date'}) }}
select date(hit_at) as hit_date, page, count(*) as hits from hits
where hit_at >= timestamp_sub(current_timestamp(), interval 36 hour)
group by 1, 2
```

## Use instead
```sql
where hit_at >= timestamp_trunc(timestamp_sub(current_timestamp(), interval 36 hour), day)
```

## Known limits
Judged only where both the bound's and the partition's grain can be seen. A var is judged by its value only where that was given. An
upper bound by the clock is the live edge and cuts nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.checks.words import operation
from backfill_safety.facts.grain import Grain
from backfill_safety.facts.model import ModelFacts
from backfill_safety.facts.names import says_load
from backfill_safety.facts.types import Bound, Kind, Path, Side
from backfill_safety.facts.units import Unit, units_of


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit for the first bound that cuts a unit."""
    units = units_of(facts)
    for unit in units:
        if facts.planned and facts.request is not None and unit.grain is not None:
            grain = facts.request.grain
            if grain is not None and not grain.lies_on(unit.grain):
                yield Hit(
                    message=f"the window {facts.request.text} cuts a {unit.grain.word} of `{unit.name}`, and {unit.what} is replaced whole",
                    alternative=f"ask for whole {unit.grain.word}s",
                )
                return
        for arm in facts.arms:
            for bound in arm.bounds:
                if bound.indirect or not _cuts(bound, unit):
                    continue
                yield Hit(
                    message=f"{unit.what} is replaced whole, but `{bound.column} {_sign(bound)} {bound.value}` cuts "
                    f"{_place(bound, unit)}: the rows before the cut are lost",
                    alternative=f"{_instead(bound, unit)}; rebuild what is already cut with {operation(facts)}",
                    line=facts.line(bound.line),
                )
                return


def _cuts(bound: Bound, unit: Unit) -> bool:
    """Whether the bound certainly lets a part of a unit through."""
    if bound.point or not bound.kinds - {Kind.LITERAL} or unit.grain is None:
        return False
    if bound.side is Side.UPPER and bound.kinds & {Kind.CLOCK, Kind.ITSELF}:
        return False
    for path in bound.paths:
        for own in unit.paths:
            if path.same_column(own):
                return _falls_inside(bound, path, own, unit.grain, unit.dated)
    return bound.side is Side.LOWER and _by_load_time(bound, unit)


def _falls_inside(bound: Bound, path: Path, own: Path, unit: Grain, typed_day: bool) -> bool:
    """A bound off the unit's boundaries, on a column that is finer than the unit. What the column is cut to moves the cut as well."""
    if bound.grain is None or (path.grain is not None and path.grain.lies_on(unit)):
        return False
    if path == own and own.grain is None and unit is Grain.DAY and bound.grain < Grain.DAY and typed_day:
        return False
    lies = bound.grain if path.grain is None else max(path.grain, bound.grain)
    return not lies.lies_on(unit)


def _by_load_time(bound: Bound, unit: Unit) -> bool:
    """Rows chosen by when they were loaded, units by when things happened: an old day with one late row keeps that row alone."""
    if not unit.whole or not bound.paths or not unit.paths or bound.kinds <= {Kind.LITERAL}:
        return False
    load = all(says_load(p.column) for p in bound.paths)
    return load and not any(says_load(p.column) for p in unit.paths) and all(p.table for p in bound.paths)


def _sign(bound: Bound) -> str:
    return {Side.LOWER: ">", Side.UPPER: "<"}[bound.side] + ("=" if bound.inclusive else "")


def _place(bound: Bound, unit: Unit) -> str:
    word = unit.grain.word if unit.grain else "unit"
    if not any(p.same_column(o) for p in bound.paths for o in unit.paths):
        return f"through its {word}s by when rows were loaded"
    return f"inside a {word} of `{unit.name}`"


def _instead(bound: Bound, unit: Unit) -> str:
    word = unit.grain.word if unit.grain else "day"
    if not any(p.same_column(o) for p in bound.paths for o in unit.paths):
        return f"read every {word} whole that has a new row: `where {unit.name} in (select distinct {unit.name} from … where {bound.column} …)`"
    return f"begin at a whole {word}: `{bound.column} {_sign(bound)} date_trunc('{word}', {bound.value})`"


RULE = Rule("BF204", "cut-partition", Severity.BLOCK, "arp", __doc__, judge)
