"""What one write of the live run replaces whole, as far as it is a span of time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from .adapters import Write
from .grain import Grain
from .names import says_calendar, says_hour, says_time
from .types import Output, Path

if TYPE_CHECKING:
    from .model import ModelFacts


class Unit(Struct, frozen=True, kw_only=True):
    """A span that is replaced whole.

    name: the column that tells it. what: in words. paths: where the column comes from. whole: all rows of the span go, not only
    those of one key. dated: the column is a date, and so finer than no day. timed: it is declared a moment.
    """

    name: str
    what: str
    grain: Grain | None
    paths: tuple[Path, ...]
    whole: bool
    dated: bool = False
    timed: bool = False
    others: tuple[Path, ...] | None = ()
    """For a unit that is no span of time (all rows of a customer, of a tenant): the columns by which a bound would cut it. None: all
    but its own."""


def units_of(facts: ModelFacts) -> tuple[Unit, ...]:
    """The spans that a write replaces; empty where it replaces single rows, or where nothing shows."""
    return tuple(_units(facts))


def _units(facts: ModelFacts) -> Iterator[Unit]:
    target = facts.target
    if target.write is Write.PARTITIONS and target.partitioning is not None:
        spelled = _spelled(facts, target.partitioning.names)
        if spelled is not None:
            yield spelled
            return
        finest: list[Unit] = []
        for column in target.partitioning.columns:
            output = facts.live.output(column.name)
            grain = column.grain if column.grain is not None else _own_grain(output)
            if grain is not None:
                finest.append(_partition(column.name, grain, output, target.partitioning.typed))
        if finest:
            unit = min(finest, key=lambda unit: unit.grain or Grain.SECOND)
            if not refined(
                unit.paths,
                (facts.live.output(name) for name in target.partitioning.names if name != unit.name),
            ):
                yield unit
        elif (day := _named_day(facts, target.partitioning.names)) is not None:
            yield day
        elif not any(says_time(name) for name in target.partitioning.names):
            outputs = [facts.live.output(name) for name in target.partitioning.names]
            name = ", ".join(target.partitioning.names)
            found = tuple(p for output in outputs for p in output.paths)
            yield Unit(
                name=name,
                what=f"the partition of a `{name}`",
                grain=None,
                paths=found,
                whole=True,
                others=None,
            )
        return
    if target.write not in (Write.DELETE_INSERT, Write.MERGE) or not facts.key_outputs:
        return
    if target.write is Write.DELETE_INSERT:
        yield from _coarse_key(facts)
    timed = [(o, g) for o in facts.key_outputs if (g := _own_grain(o)) is not None and g >= Grain.HOUR]
    if not timed:
        return
    output, grain = min(timed, key=lambda pair: pair[1])
    if refined(output.paths, (o for o in facts.key_outputs if o is not output)):
        return
    only_time = len(timed) == len(facts.key_outputs)
    if target.write is Write.DELETE_INSERT and only_time:
        what = f"every row of a {grain.word} in `{output.name}`, the unique_key,"
        yield Unit(name=output.name, what=what, grain=grain, paths=output.paths, whole=True)
    elif facts.live.grouped(output.name):
        what = f"a total by {grain.word} in `{output.name}`, which is part of the unique_key,"
        yield Unit(name=output.name, what=what, grain=grain, paths=output.paths, whole=False)


_MONTHS = {"year", "yr", "yyyy", "month", "mon", "mm"}
_PARTS = {"month": Grain.MONTH, "day": Grain.DAY, "day_of_month": Grain.DAY, "hour": Grain.HOUR}


def _spelled(facts: ModelFacts, names: tuple[str, ...]) -> Unit | None:
    """Partitions that spell a time in parts, as Hive has them: `year(at)`, `month(at)` are a month."""
    found: dict[Grain, Output] = {}
    for output in map(facts.live.output, names):
        if len(output.paths) != 1:
            return None
        path = output.paths[0]
        part = next((_PARTS[word] for word in path.wraps if word in _PARTS), None)
        grain = part or (path.grain if path.grain is Grain.YEAR else None)
        if grain is None or any(not path.same_column(other.paths[0]) for other in found.values()):
            return None
        found[grain] = output
    chain = [grain for grain in (Grain.YEAR, Grain.MONTH, Grain.DAY, Grain.HOUR) if grain in found]
    if len(chain) < 2 or chain != [Grain.YEAR, Grain.MONTH, Grain.DAY, Grain.HOUR][: len(chain)]:
        return None
    last = found[chain[-1]]
    own = tuple(path._replace(grain=chain[-1]) for path in last.paths)
    return Unit(
        name=last.name,
        what=f"the {chain[-1].word} partition of `{last.name}`",
        grain=chain[-1],
        paths=own,
        whole=True,
    )


def _named_day(facts: ModelFacts, names: tuple[str, ...]) -> Unit | None:
    """Partitions of days by their name alone (`dt`), where the query is bounded by the hour: a part of a day, however long a `dt` is.

    So is a `day` a part of what `year` and `month` name.
    """
    outputs = [facts.live.output(name) for name in names]
    own = tuple(p for output in outputs for p in output.paths)
    if not all(output.paths for output in outputs) or any(map(says_hour, (*names, *(p.column for p in own)))):
        return None
    months = set(names) <= _MONTHS
    hours = tuple(
        p
        for b in facts.live.bounds
        for p in b.paths
        if p.grain is None and (says_hour(p.column) or (months and p.column in ("day", "dd")))
    )
    if not hours or not any(says_time(name) for name in names):
        return None
    name = ", ".join(names)
    return Unit(
        name=name, what=f"the partition of a `{name}`", grain=None, paths=own, whole=True, others=hours
    )


def refined(paths: tuple[Path, ...], others: Iterable[Output]) -> bool:
    """Whether another column tells more of the same time, nobody knows how much: `hour(at)` beside `at::date`."""
    return any(p.grain is None and p.same_column(own) for o in others for p in o.paths for own in paths)


def _coarse_key(facts: ModelFacts) -> Iterator[Unit]:
    """A key that is less than what the rows are grouped by: all rows of a key are deleted, those of the window inserted."""
    grouped = facts.live.group_columns
    if not grouped or not set(facts.target.key) < set(grouped):
        return
    rest = [name for name in grouped if name not in facts.target.key]
    if not all(says_calendar(name) for name in rest):
        return  # columns that a key determines are grouped by as well
    others = tuple(p for name in rest for p in facts.live.output(name).paths)
    key = ", ".join(facts.target.key)
    paths = tuple(p for output in facts.key_outputs for p in output.paths)
    yield Unit(
        name=key,
        what=f"every row of a `{key}`, the unique_key,",
        grain=None,
        paths=paths,
        whole=True,
        others=others,
    )


def _partition(name: str, grain: Grain, output: Output, typed: str) -> Unit:
    what = f"the {grain.word} partition of `{name}`"
    moment = typed in ("timestamp", "datetime")
    return Unit(
        name=name,
        what=what,
        grain=grain,
        paths=output.paths,
        whole=True,
        dated=typed == "date",
        timed=moment,
    )


def _own_grain(output: Output) -> Grain | None:
    grains = {path.grain for path in output.paths}
    return grains.pop() if len(grains) == 1 else None
