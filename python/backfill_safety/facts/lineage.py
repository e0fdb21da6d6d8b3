"""Where a value comes from: from which column of which relation, through which functions, and whether it is stable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import exp

from .functions import name_of, step_of
from .grain import Grain
from .moved import shift_of
from .shape import Generated, Input, Query, Select, Table
from .types import Path

MAX_STEPS = 60
"""A column is followed through at most this many selects."""


class Leaf(NamedTuple):
    """A column of a relation or of generated rows. `input`: the entry through which it was reached."""

    input: Input
    column: str


class Inner(NamedTuple):
    """An expression of a select further inside."""

    select: Select
    value: exp.Expr


def inputs_with(select: Select, name: str) -> tuple[list[Input], list[Input]]:
    """The inputs that surely have a column, and those that may have it."""
    sure, perhaps = [], []
    for entry in select.inputs:
        known = _has(entry, name, 0)
        if known:
            sure.append(entry)
        elif known is None:
            perhaps.append(entry)
    return sure, perhaps


def _has(entry: Input, name: str, depth: int) -> bool | None:
    body = entry.body
    if name in entry.renamed:
        return True
    if isinstance(body, Table):
        return None
    if isinstance(body, Generated):
        return True if entry.alias == name else (None if not entry.renamed else False)
    if depth > MAX_STEPS:
        return None
    key = ("has", name)
    if key not in body.memo:
        body.memo[key] = None
        body.memo[key] = _gives(body.arms[0], name, depth)
    found: bool | None = body.memo[key]
    return found


def _gives(select: Select, name: str, depth: int) -> bool | None:
    if name in select.named and name != "*":
        return True
    if not select.has_star:
        return False
    answers = [_has(inner, name, depth + 1) for inner in _starred(select)]
    return True if True in answers else (None if None in answers else False)


def _starred(select: Select) -> Iterator[Input]:
    """The inputs whose columns a star of the select passes on."""
    for name, item in select.outputs:
        if name != "*":
            continue
        table = item.args.get("table") if isinstance(item, exp.Column) else None
        if table is None:
            yield from select.inputs
        elif table.name.lower() in select.by_alias:
            yield select.by_alias[table.name.lower()]


def find_input(select: Select, column: exp.Column) -> tuple[Select, Input | None, bool]:
    """The select and input a column belongs to, and whether that is certain; the input is None when nothing is known."""
    name, table = column.name.lower(), column.table.lower()
    scope: Select | None = select
    while scope is not None:
        if table in scope.by_alias and table:
            return scope, scope.by_alias[table], True
        if not table:
            sure, perhaps = inputs_with(scope, name)
            if sure:
                return scope, sure[0], True
            if perhaps:
                return scope, perhaps[0], len(perhaps) == 1
        scope = scope.outer
    if table and select.inputs:  # a field of a structured column: t.payload.ts, or payload.ts
        return select, select.inputs[0], len(select.inputs) == 1
    return select, None, False


def origins(select: Select, column: exp.Column, aliases: bool = True) -> list[Leaf | Inner]:
    """One step towards a column's origin; one entry for each arm of a union.

    aliases: whether a name may also be an output of this very select, as in `group by day`, or further left in its list.
    """
    name = column.name.lower()
    if aliases and not column.table and name in select.named:
        value = select.named[name]
        own = isinstance(value, exp.Column) and value.name.lower() == name
        if (
            not own
            and value is not column
            and not inputs_with(select, name)[0]
            and not _inside(column, value)
            and not _before(select, column, value)
        ):
            return [Inner(select, value)]
    _, entry, certain = find_input(select, column)
    if entry is None:
        return []
    found = from_input(entry, name)
    if not certain:
        found = [Leaf(Input("", Table("", column), entry.role, padded=False), name) for _ in found[:1]]
    return found


def _inside(column: exp.Expr, value: exp.Expr) -> bool:
    node: exp.Expr | None = column
    while node is not None:
        if node is value:
            return True
        if isinstance(node, exp.Select):
            return False
        node = node.parent
    return False


def _before(select: Select, column: exp.Expr, value: exp.Expr) -> bool:
    """Whether the column stands in an output to the left of the one that is named so: an alias is known only to what follows it."""
    for _, output in select.outputs:
        if output is value:
            return False
        if _inside(column, output):
            return True
    return False


def from_input(entry: Input, name: str, depth: int = 0) -> list[Leaf | Inner]:
    """The expressions behind a column of an input, one for each arm."""
    body = entry.body
    if not isinstance(body, Query):
        return [Leaf(entry, name)]
    if depth > MAX_STEPS:
        return []
    key = ("from", name, entry.renamed)
    if key not in body.memo:
        body.memo[key] = []
        place = entry.renamed.index(name) if name in entry.renamed else _place(body.arms[0], name)
        found = (origin for arm in body.arms for origin in _from_arm(arm, name, place, depth))
        body.memo[key] = list(found)
    known: list[Leaf | Inner] = body.memo[key]
    return known


def _place(select: Select, name: str) -> int | None:
    if select.has_star:
        return None
    return next((i for i, (output, _) in enumerate(select.outputs) if output == name), None)


def _from_arm(arm: Select, name: str, place: int | None, depth: int) -> list[Leaf | Inner]:
    if place is not None and not arm.has_star and place < len(arm.outputs):
        return [Inner(arm, arm.outputs[place][1])]
    if name in arm.named:
        return [Inner(arm, arm.named[name])]
    sure = [entry for entry in _starred(arm) if _has(entry, name, depth)]
    perhaps = sure or [entry for entry in _starred(arm) if _has(entry, name, depth) is None]
    if len(perhaps) > 1 and not sure:
        return [Leaf(Input("", Table("", arm.node), perhaps[0].role), name)]
    return from_input(perhaps[0], name, depth + 1) if perhaps else []


_AGGREGATES = (
    exp.Max,
    exp.Min,
    exp.AnyValue,
    exp.ArgMax,
    exp.ArgMin,
    exp.First,
    exp.Last,
    exp.FirstValue,
    exp.LastValue,
)


def paths(select: Select, value: exp.Expr, depth: int = 0) -> tuple[Path, ...]:
    """The columns that a value is a function of, when each alternative (of a union, a coalesce) hangs on one column alone."""
    if depth > MAX_STEPS:
        return ()
    if isinstance(value, (exp.Paren, exp.Alias, exp.Ordered)):
        return paths(select, value.this, depth)
    if isinstance(value, exp.Column):
        return _column_paths(select, value, depth)
    step = step_of(value)
    if step is not None:
        return tuple(
            _wrapped(p, step.name, step.grain, step.zone) for p in paths(select, step.inner, depth + 1)
        )
    shift = shift_of(value)
    if shift is not None:
        return tuple(_wrapped(p, "interval", None, None) for p in paths(select, shift.inner, depth + 1))
    if isinstance(value, exp.Window):
        return paths(select, value.this, depth + 1)
    if isinstance(value, _AGGREGATES):
        return tuple(p._replace(aggregated=True) for p in paths(select, value.this, depth + 1))
    if isinstance(value, exp.Coalesce):
        found = _alternatives(select, [value.this, *value.expressions], depth)
        return tuple(_wrapped(p, "coalesce", None, None) for p in found)
    if isinstance(value, exp.Case):
        branches = [branch.args["true"] for branch in value.args.get("ifs") or ()]
        return _alternatives(select, [*branches, *filter(None, [value.args.get("default")])], depth)
    if isinstance(value, exp.If):
        return _alternatives(select, [value.args["true"], *filter(None, [value.args.get("false")])], depth)
    return _function_paths(select, value, depth)


def _alternatives(select: Select, values: list[exp.Expr], depth: int) -> tuple[Path, ...]:
    found: dict[Path, None] = {}
    for value in values:
        found.update(dict.fromkeys(paths(select, value, depth + 1)))
    return tuple(found)


def _function_paths(select: Select, value: exp.Expr, depth: int) -> tuple[Path, ...]:
    """Any other function of a single argument that holds columns."""
    if isinstance(value, (exp.Query, exp.AggFunc, exp.Predicate)) or not isinstance(
        value, (exp.Func, exp.Binary, exp.Unary, exp.Bracket)
    ):
        return ()
    holders = [child for child in value.iter_expressions() if child.find(exp.Column) is not None]
    if len(holders) != 1:
        return ()
    return tuple(_wrapped(p, name_of(value), None, None) for p in paths(select, holders[0], depth + 1))


def _wrapped(path: Path, name: str, grain: Grain | None, zone: str | None) -> Path:
    coarser = grain if path.grain is None or (grain is not None and grain > path.grain) else path.grain
    return path._replace(grain=coarser, wraps=(*path.wraps, name), zone=zone or path.zone)


def _column_paths(select: Select, column: exp.Column, depth: int) -> tuple[Path, ...]:
    key = ("paths", id(column))
    if key not in select.memo:
        select.memo[key] = ()
        select.memo[key] = _read_paths(select, column, depth)
    known: tuple[Path, ...] = select.memo[key]
    return known


def _read_paths(select: Select, column: exp.Column, depth: int) -> tuple[Path, ...]:
    found: dict[Path, None] = {}
    for origin in origins(select, column):
        if isinstance(origin, Leaf):
            body = origin.input.body
            key = body.key if isinstance(body, Table) else f"<{origin.input.alias}>"
            found[Path(key, origin.column)] = None
        else:
            found.update(dict.fromkeys(paths(origin.select, origin.value, depth + 1)))
    return tuple(found)
