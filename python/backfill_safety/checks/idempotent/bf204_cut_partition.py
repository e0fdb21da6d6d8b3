"""The window cuts a unit that is replaced whole.

## What it does
Compares where the bounds lie with what one write replaces: a partition under an overwrite, all rows of a day
under a delete by day, one total a day under a merge of totals. Looks at the bound's value (six hours before
now, the newest timestamp, a given 06:00) and at the column it is put on. What is replaced by name (BigQuery's
`partitions`, the predicate of `replace_where`) must be read as far back as it is named.

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
Judged only where both the bound's and the partition's grain can be seen. Where a var begins is judged by its value
only where that was given; how wide a window of vars is, also by their defaults. An upper bound by the clock is the
live edge and cuts nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.checks.words import operation
from backfill_safety.facts.cleared import Cleared, cleared
from backfill_safety.facts.grain import Grain, may_begin_week
from backfill_safety.facts.named import first_read, named_of
from backfill_safety.facts.names import says_load
from backfill_safety.facts.narrow import narrower
from backfill_safety.facts.types import Bound, Kind, Path, Side
from backfill_safety.facts.units import Unit, units_of

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit for the first bound that cuts a unit."""
    unread = _unread(facts) or _not_appended(facts)
    if unread is not None:
        yield unread
        return
    units = units_of(facts)
    for unit in units:
        if (
            facts.planned
            and facts.request is not None
            and unit.grain is not None
            and facts.request.cuts(unit.grain)
        ):
            yield Hit(
                message=f"the window {facts.request.text} cuts a {unit.grain.word} of `{unit.name}`, and {unit.what} is replaced whole",
                alternative=f"ask for whole {unit.grain.word}s",
            )
            return
        for arm in facts.arms:
            if unit.others is None and any(
                p.same_column(o) for b in arm.bounds for p in b.paths for o in unit.paths
            ):
                continue
            for bound in arm.bounds:
                if bound.indirect or not _cuts(facts, bound, unit):
                    continue
                yield Hit(
                    message=f"{unit.what} is replaced whole, but `{bound.column} {_sign(bound)} {bound.value}` cuts {_place(bound, unit)}: "
                    "the rows outside of the cut are lost",
                    alternative=f"{_instead(bound, unit)}; rebuild what is already cut with {operation(facts)}",
                    line=facts.line(bound.line),
                )
                return
            narrow = narrower(arm.bounds, unit)
            if narrow is not None:
                lower = narrow[0]
                window = f"{lower.column} = {lower.value}"
                if not lower.point:
                    ends = (f"{end.column} {_sign(end)} {end.value}" for end in narrow)
                    window = " and ".join(ends)
                yield Hit(
                    message=f"{unit.what} is replaced whole, but `{window}` is less than {_a(unit)}: the rest of it is lost",
                    alternative=f"{_instead(lower, unit)}, and end at one; rebuild what is already cut with {operation(facts)}",
                    line=facts.line(lower.line),
                )
                return


def _unread(facts: ModelFacts) -> Hit | None:
    """What is replaced by name and not read again."""
    named = named_of(facts)
    if named is None:
        return None
    for arm in facts.arms:
        read = first_read(arm, named)
        if read is not None and read[0] < named.oldest:
            bound = read[1]
            return Hit(
                message=f"`{named.text}` is replaced on every run, but only `{bound.column} {_sign(bound)} {bound.value}` is read: "
                "the rows before that are taken away and not written back",
                alternative="take both from one list or macro, so that what is replaced is what is read",
                line=facts.line(bound.line),
            )
    return None


def _not_appended(facts: ModelFacts) -> Hit | None:
    """What a pre-hook deletes beyond what the query then appends."""
    found, write = cleared(facts)
    if found is not Cleared.MORE or write is None:
        return None
    return Hit(
        message=f"the {write.where} `{write.text}` deletes more than the query reads: the rest is taken away and not written back",
        alternative="delete by the very bounds of the query, both ends alike",
        line=facts.rendering.config_line or 0,
    )


def _cuts(facts: ModelFacts, bound: Bound, unit: Unit) -> bool:
    """Whether the bound certainly lets a part of a unit through."""
    if not bound.kinds - {Kind.LITERAL}:
        return False
    if unit.grain is None:
        return (
            bound.side is Side.LOWER
            and bool(bound.paths)
            and all(_across(path, unit) for path in bound.paths)
        )
    if bound.point or (bound.side is Side.UPPER and bound.kinds & {Kind.CLOCK, Kind.ITSELF}):
        return False
    for path in bound.paths:
        for own in unit.paths:
            if path.same_column(own):
                return _falls_inside(facts, bound, path, own, unit)
    return bound.side is Side.LOWER and _by_load_time(bound, unit)


def _across(path: Path, unit: Unit) -> bool:
    """Whether a bound on this column runs through units that are no span of time."""
    if unit.others is None:
        return bool(path.table) and not any(path.same_column(own) for own in unit.paths)
    return any(path.same_column(other) for other in unit.others)


def _falls_inside(facts: ModelFacts, bound: Bound, path: Path, own: Path, unit: Unit) -> bool:
    """A bound off the unit's boundaries, on a column that is finer than the unit. What the column is cut to moves the cut as well."""
    assert unit.grain is not None
    if path.grain is not None and path.grain.lies_on(unit.grain):
        return False
    if bound.grain is None:
        told = own.grain is not None or unit.timed
        return told and path.grain is None and _newest_moment(facts, bound, path)
    if unit.dated and own.grain is None and unit.grain is Grain.DAY:
        return False
    if unit.grain is Grain.WEEK and may_begin_week(bound.moment):
        return False
    lies = bound.grain if path.grain is None else max(path.grain, bound.grain)
    return not lies.lies_on(unit.grain)


def _newest_moment(facts: ModelFacts, bound: Bound, path: Path) -> bool:
    """Whether the value is the newest of the very column whose days the units are: a moment within its last day."""
    if bound.kinds != {Kind.ITSELF} or not bound.itself:
        return False
    stored = [p for column in bound.itself for p in facts.live.output(column).paths]
    return not bound.cut and bool(stored) and all(p.grain is None and p.same_column(path) for p in stored)


def _by_load_time(bound: Bound, unit: Unit) -> bool:
    """Rows chosen by when they were loaded, units by when things happened: an old day with one late row keeps that row alone."""
    if not bound.paths or not unit.paths:
        return False
    load = all(says_load(p.column) and p.table for p in bound.paths)
    return load and not any(says_load(p.column) for p in unit.paths)


def _sign(bound: Bound) -> str:
    return {Side.LOWER: ">", Side.UPPER: "<"}[bound.side] + ("=" if bound.inclusive else "")


def _a(unit: Unit) -> str:
    assert unit.grain is not None
    return f"an {unit.grain.word}" if unit.grain is Grain.HOUR else f"a {unit.grain.word}"


def _on_unit(bound: Bound, unit: Unit) -> bool:
    return any(p.same_column(o) for p in bound.paths for o in unit.paths)


def _place(bound: Bound, unit: Unit) -> str:
    if unit.grain is None:
        return f"through the rows of a `{unit.name}`"
    if not _on_unit(bound, unit):
        return f"through its {unit.grain.word}s by when rows were loaded"
    return f"inside {_a(unit)} of `{unit.name}`"


def _instead(bound: Bound, unit: Unit) -> str:
    column = bound.paths[0].column if bound.paths else bound.column
    if unit.grain is None:
        return f"make `{column}` part of what is replaced: of the partitions, or of the unique_key"
    if not _on_unit(bound, unit):
        days = f"`where {unit.name} in (select {unit.name} from … where {bound.column} …)`"
        return f"read every {unit.grain.word} whole that has a new row: {days}"
    return f"begin at a whole {unit.grain.word}: `{bound.column} {_sign(bound)} date_trunc('{unit.grain.word}', {bound.value})`"


RULE = Rule("BF204", "cut-partition", Severity.BLOCK, "arp", __doc__, judge)
