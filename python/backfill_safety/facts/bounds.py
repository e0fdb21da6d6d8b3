"""The bounds that the conditions of a select put on what it reads."""

from __future__ import annotations

from msgspec.structs import replace
from sqlglot import exp

from .functions import is_clock, name_of
from .lineage import paths
from .logic import conjuncts, disjuncts
from .moved import days_back
from .names import says_time, says_window
from .shape import Select, inner_query
from .types import Bound, Kind, Path, Side
from .value import Value
from .values import Values

_RANGES: dict[type[exp.Expr], tuple[Side, bool]] = {
    exp.GT: (Side.LOWER, False),
    exp.GTE: (Side.LOWER, True),
    exp.LT: (Side.UPPER, False),
    exp.LTE: (Side.UPPER, True),
}
_FLIPPED = {Side.LOWER: Side.UPPER, Side.UPPER: Side.LOWER}
_MOVING = {Kind.VAR, Kind.CLOCK, Kind.ITSELF, Kind.OTHER}
_DIFFERENCES = (exp.DateDiff, exp.TimestampDiff, exp.DatetimeDiff, exp.TsOrDsDiff)


def bounds_of(values: Values, select: Select, condition: exp.Expr) -> list[Bound]:
    """The bounds that one condition sets. Of several joined by OR, those sides that each of them sets."""
    alternatives = [a for a in disjuncts(condition) if not never(a)]
    if len(alternatives) > 1:
        return _either(values, select, alternatives)
    node = alternatives[0] if alternatives else condition
    if isinstance(node, exp.Between):
        return _between(values, select, node)
    if type(node) in _RANGES:
        return _range(values, select, node)
    if isinstance(node, (exp.EQ, exp.NullSafeEQ, exp.Is)):
        return _point(values, select, node.this, node.expression)
    if isinstance(node, exp.In):
        return _listed(values, select, node)
    return []


def _either(values: Values, select: Select, alternatives: list[exp.Expr]) -> list[Bound]:
    found: list[list[Bound]] = []
    passes = False
    for alternative in alternatives:
        bounds = [b for part in conjuncts(alternative) for b in bounds_of(values, select, part)]
        if not bounds and _missing_watermark(values, select, alternative):
            passes = True
            continue
        if not bounds and (
            _missing_value(alternative, alternatives) or _in_itself(values, select, alternative)
        ):
            continue
        found.append(bounds)
    sides = [s for s in Side if found and all(any(b.side is s for b in bounds) for bounds in found)]
    kept = [b for bounds in found for b in bounds if b.side in sides]
    if passes:
        kept = [replace(b, guarded=True) for b in kept]
    return kept


def never(node: exp.Expr) -> bool:
    """Whether a condition lets no row through: `false`, `1 = 0`."""
    if isinstance(node, exp.Boolean):
        return not node.this
    if (
        isinstance(node, exp.EQ)
        and isinstance(node.this, exp.Literal)
        and isinstance(node.expression, exp.Literal)
    ):
        return bool(node.this.this != node.expression.this)
    return False


def _in_itself(values: Values, select: Select, node: exp.Expr) -> bool:
    """`key in (select key from this where …)`: rows of the target that are to be repaired, as many as it has."""
    query = node.args.get("query") if isinstance(node, exp.In) else None
    return query is not None and Kind.ITSELF in values.of(select, query).kinds


def _missing_value(node: exp.Expr, others: list[exp.Expr]) -> bool:
    """`ts is null` beside `ts >= …`: rows without a time, which no bound could hold."""
    if not (isinstance(node, exp.Is) and isinstance(node.expression, exp.Null)):
        return False
    names = {c.name.lower() for c in node.find_all(exp.Column)}
    return any(names & {c.name.lower() for c in o.find_all(exp.Column)} for o in others if o is not node)


def _missing_watermark(values: Values, select: Select, node: exp.Expr) -> bool:
    """`watermark is null`: the row of a key that the target does not have yet, or an empty target."""
    if isinstance(node, exp.Not) and isinstance(node.this, exp.Exists):
        query = inner_query(select, node.this.this)
        return query is not None and Kind.ITSELF in values.of_query(query).kinds
    if not (isinstance(node, exp.Is) and isinstance(node.expression, exp.Null)):
        return False
    return Kind.ITSELF in values.of(select, node.this).kinds


def _range(values: Values, select: Select, node: exp.Expr) -> list[Bound]:
    side, inclusive = _RANGES[type(node)]
    left, right = node.args["this"], node.args["expression"]
    for inner, value, towards in ((left, right, side), (right, left, _FLIPPED[side])):
        found = _one(values, select, inner, value, towards, inclusive, point=False)
        if found is not None:
            return [found]
    return []


def _between(values: Values, select: Select, node: exp.Between) -> list[Bound]:
    ends = ((node.args["low"], Side.LOWER), (node.args["high"], Side.UPPER))
    found = [_one(values, select, node.this, value, side, True, point=False) for value, side in ends]
    if not any(found):  # `'2024-01-05' between valid_from and valid_to`
        found = [
            _one(values, select, value, node.this, _FLIPPED[side], True, point=False) for value, side in ends
        ]
    return [b for b in found if b is not None]


def _point(values: Values, select: Select, left: exp.Expr, right: exp.Expr) -> list[Bound]:
    for inner, value in ((left, right), (right, left)):
        found = _one(values, select, inner, value, Side.LOWER, True, point=True)
        if found is not None:
            return [replace(found, side=Side.LOWER), replace(found, side=Side.UPPER)]
    return []


def _listed(values: Values, select: Select, node: exp.In) -> list[Bound]:
    members = node.expressions or [m for m in (node.args.get("unnest"),) if m is not None]
    if members:
        return [replace(b, listed=True) for b in _point(values, select, node.this, members[0])]
    query = node.args.get("query")
    if query is None:
        return []
    found = _one(values, select, node.this, query, Side.LOWER, True, point=True)
    timed = any(says_time(c.name) for c in node.this.find_all(exp.Column))
    if found is None or Kind.ITSELF in found.kinds or (Kind.OTHER in found.kinds and not timed):
        return []
    return [found, replace(found, side=Side.UPPER)]


def _one(
    values: Values,
    select: Select,
    inner: exp.Expr,
    value: exp.Expr,
    side: Side,
    inclusive: bool,
    point: bool,
) -> Bound | None:
    """`inner` bounded by `value`, where the one is a column of the select's inputs and the other is not."""
    if isinstance(inner, exp.Literal):
        return None
    what = values.of(select, value)
    if what.columns or not what.kinds or (point and what.kinds == {Kind.LITERAL} and not what.moment):
        return None
    if Kind.ITSELF in what.kinds and not what.single:
        return None  # a row of the target beside this one is no watermark
    if not holds_column(values, select, inner):
        return None
    within = values.of(select, inner) if not isinstance(inner, exp.Column) else Value()
    elapsed = Kind.CLOCK in within.kinds and not (what.kinds & _MOVING - {Kind.VAR})
    if elapsed:
        side = _elapsed_side(inner, side)
        what = what._replace(kinds=what.kinds - {Kind.LITERAL, Kind.VAR} | {Kind.CLOCK}, grain=None)
    from_ = paths(select, inner)
    if inner.find(exp.AggFunc) is not None or (from_ and all(p.aggregated for p in from_)):
        return None  # a total is bounded, and all that it is made of is read
    if not _tells(values, inner, value, what, from_, point, elapsed):
        return None
    return Bound(
        side=side,
        column=values.shown(inner),
        value=values.shown(value),
        kinds=what.kinds - {Kind.LITERAL} if what.kinds & _MOVING else what.kinds,
        paths=_elapsed_paths(select, inner) if elapsed else from_,
        inclusive=inclusive,
        point=point,
        grain=what.grain,
        itself=what.itself,
        guarded=what.guarded,
        in_subquery=what.in_subquery,
        names=what.names,
        moment=what.text,
        zone=_zone(value),
        days_back=_days_back(what, value),
        cut=what.cut,
        moved=what.moved,
        line=line_of(inner) or line_of(value),
    )


def _days_back(what: Value, value: exp.Expr) -> float | None:
    """How many days before now, or before the var that alone it is made of, the value lies."""
    if Kind.CLOCK in what.kinds:
        return days_back(value)
    if what.kinds - {Kind.LITERAL} == {Kind.VAR} and len(what.names) == 1:
        return days_back(value, (exp.Placeholder, exp.Literal))
    return None


def holds_column(values: Values, select: Select, node: exp.Expr) -> bool:
    """Whether a column of data stands in the expression: no value of the target's watermark, no generated day."""
    if isinstance(node, (exp.Query, exp.Subquery)):
        return False
    return any(values.of(select, column).columns for column in node.find_all(exp.Column))


def _elapsed_side(inner: exp.Expr, side: Side) -> Side:
    """`datediff(day, ts, now()) <= 3` bounds `ts` below."""
    difference = inner.find(*_DIFFERENCES)
    if difference is not None:
        later = difference.args["this"]
        return side if later.find(exp.Column) is not None and not _clocked(later) else _FLIPPED[side]
    if isinstance(inner, exp.Sub):
        return side if inner.left.find(exp.Column) is not None else _FLIPPED[side]
    return _FLIPPED[side]


def _clocked(node: exp.Expr) -> bool:
    return any(is_clock(part) for part in node.walk())


def _elapsed_paths(select: Select, inner: exp.Expr) -> tuple[Path, ...]:
    found: list[Path] = []
    for column in inner.find_all(exp.Column):
        found += [p._replace(wraps=(*p.wraps, name_of(inner))) for p in paths(select, column)]
    return tuple(found)


def _tells(
    values: Values,
    inner: exp.Expr,
    value: exp.Expr,
    what: Value,
    from_: tuple[Path, ...],
    point: bool,
    elapsed: bool,
) -> bool:
    """Whether the comparison is a window and not any filter: by the value, by the type, or plainly by the name."""
    if elapsed or Kind.CLOCK in what.kinds:
        return True
    named = any(says_time(c.name) for c in inner.find_all(exp.Column)) or any(
        says_time(p.column) for p in from_
    )
    told = named or any(p.grain for p in from_)
    if Kind.ITSELF in what.kinds or Kind.OTHER in what.kinds:
        return not point or told or isinstance(value, (exp.Query, exp.Subquery))
    timed = told or what.moment
    if Kind.VAR in what.kinds:
        keyed = any(c.name.lower() in values.window_columns for c in inner.find_all(exp.Column))
        return timed or keyed or any(says_time(name) or says_window(name) for name in what.names)
    if Kind.UNKNOWN in what.kinds:
        return timed
    return what.moment and (
        named or not isinstance(value, exp.Literal) or any(p.grain for p in from_) or not point
    )


def _zone(value: exp.Expr) -> str | None:
    for node in value.find_all(exp.AtTimeZone, exp.ConvertTimezone, exp.CurrentDate, exp.Date, exp.Timestamp):
        zone = node.args.get("zone") or node.args.get("target_tz")
        if isinstance(node, exp.CurrentDate):
            zone = node.args.get("this")
        if isinstance(zone, exp.Literal):
            return str(zone.this)
    return None


def line_of(node: exp.Expr) -> int:
    """The line of the rendered SQL on which the first name in the expression stands; 0 when there is none."""
    for part in node.find_all(exp.Identifier):
        line = part.meta.get("line")
        if line:
            return int(line)
    return 0
