"""Whether a value can be NULL, by evidence: an outer join, or an expression that makes NULLs."""

from __future__ import annotations

from sqlglot import exp

from .functions import step_of
from .lineage import MAX_STEPS, Inner, Leaf, find_input, origins
from .logic import disjuncts
from .shape import Generated, Role, Select
from .subtotals import left_null

_NEVER = (
    exp.Count, exp.RowNumber, exp.Literal, exp.CurrentTimestamp, exp.CurrentDate, exp.ConcatWs, exp.Boolean, exp.Uuid,
    exp.CountIf, exp.Predicate,
)  # fmt: skip
_REJECTING = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.Like, exp.ILike, exp.In)


def why_null(select: Select, value: exp.Expr, depth: int = 0) -> str:
    """Why the value can be NULL, in words that name the join or expression; "" when nothing says so."""
    if depth > MAX_STEPS or isinstance(value, _NEVER):
        return ""
    if isinstance(value, exp.Null):
        return "it is NULL in one of the arms"
    if left_null(select, value):
        return f"`{_text(value)}` is NULL in the rows of the totals"
    if isinstance(value, exp.Column):
        return _column(select, value, depth)
    if isinstance(value, exp.Coalesce):
        last = value.expressions[-1] if value.expressions else value.this
        reasons = [why_null(select, part, depth + 1) for part in (value.this, *value.expressions)]
        return (
            ""
            if isinstance(last, exp.Literal) or _full_join(select)
            else (reasons[-1] if all(reasons) else "")
        )
    if isinstance(value, exp.Nullif):
        return f"`{_text(value)}` gives NULL"
    if isinstance(value, exp.TryCast):
        inner = step_of(value.this)
        if inner is not None and inner.grain is not None:  # what has been cut to a day is a time already
            return why_null(select, value.this, depth + 1)
        return f"`{_text(value)}` gives NULL for what it cannot convert"
    if isinstance(value, exp.Window):
        lost = isinstance(value.this, (exp.Lag, exp.Lead)) and not value.this.args.get("default")
        return f"`{_text(value.this)}` is NULL in the first or last row" if lost else ""
    if isinstance(value, exp.Case):
        return _case(select, value)
    if isinstance(value, exp.If):
        other = value.args.get("false")
        return why_null(select, other, depth + 1) if other is not None else ""
    if isinstance(value, exp.Concat) and value.args.get("coalesce"):
        return ""
    if isinstance(value, (exp.Query, exp.Subquery, exp.AggFunc)) and not isinstance(
        value, (exp.Max, exp.Min)
    ):
        return ""
    for child in value.iter_expressions():
        reason = why_null(select, child, depth + 1)
        if reason:
            return reason
    return ""


def _case(select: Select, value: exp.Case) -> str:
    default = value.args.get("default")
    if not _covered(select, value):
        if default is None:
            return f"`{_text(value)}` has no ELSE"
        if isinstance(default, exp.Null):
            return f"`{_text(value)}` is NULL in its ELSE"
    for branch in value.args.get("ifs") or ():
        if isinstance(branch.args["true"], exp.Null):
            return f"`{_text(value)}` is NULL in a branch"
    return ""


def _covered(select: Select, value: exp.Case) -> bool:
    """Whether the WHERE lets only those rows through for which some arm of the CASE holds: `where a or b` over arms for `a` and `b`."""
    if value.this is not None:
        return False
    arms = [branch.this.unnest() for branch in value.args.get("ifs") or ()]
    return any(all(chosen.unnest() in arms for chosen in disjuncts(part)) for part in select.where)


def _full_join(select: Select) -> bool:
    """`coalesce(a.k, b.k)` over a full join: one of the two sides is always there."""
    return any(entry.role is Role.FULL for entry in select.inputs)


def _column(select: Select, column: exp.Column, depth: int) -> str:
    key = ("null", id(column))
    if key not in select.memo:
        select.memo[key] = ""
        select.memo[key] = _read(select, column, depth)
    reason: str = select.memo[key]
    return reason


def _read(select: Select, column: exp.Column, depth: int) -> str:
    name = column.name.lower()
    scope, entry, certain = find_input(select, column)
    named = origins(select, column)
    if named and isinstance(named[0], Inner) and named[0].select is select:
        return why_null(select, named[0].value, depth + 1)
    if entry is None:
        return ""
    if _rejected(scope, entry, name):
        return ""
    if entry.padded and certain and not isinstance(entry.body, Generated):
        return f"`{entry.alias}.{column.name}` is filled with NULL by the outer join where nothing matches"
    for origin in named:
        if isinstance(origin, Leaf):
            continue
        if _filtered(origin.select, name):
            continue
        reason = why_null(origin.select, origin.value, depth + 1)
        if reason:
            return reason
    return ""


def _rejected(select: Select, entry: object, name: str) -> bool:
    """Whether a condition of the select drops the rows in which the input is not matched."""
    conditions = [
        *select.where,
        *select.qualify,
        *(c for e in select.inputs if e.role is Role.INNER for c in e.on),
    ]
    for condition in conditions:
        if not (isinstance(condition, _REJECTING) or _is_not_null(condition)):
            continue
        if condition.find(exp.Coalesce) is not None:
            continue
        for column in condition.find_all(exp.Column):
            if find_input(select, column)[1] is entry and (_same(column, name) or _padded(entry)):
                return True
    return False


def _padded(entry: object) -> bool:
    return bool(getattr(entry, "padded", False))


def _same(column: exp.Column, name: str) -> bool:
    return column.name.lower() == name


def _is_not_null(node: exp.Expr) -> bool:
    return (
        isinstance(node, exp.Not)
        and isinstance(node.this, exp.Is)
        and isinstance(node.this.expression, exp.Null)
    )


def _filtered(select: Select, output: str) -> bool:
    """Whether the select itself drops rows in which its output is NULL."""
    return any(
        _is_not_null(c) and any(col.name.lower() == output for col in c.find_all(exp.Column))
        for c in (*select.where, *select.qualify, *select.having)
    )


def _text(node: exp.Expr) -> str:
    text = " ".join(node.sql(comments=False).split())
    return text if len(text) < 60 else text[:57] + "…"
