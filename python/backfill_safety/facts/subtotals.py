"""The columns that `group by rollup (…)` and its like leave NULL in the rows of their totals."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from .shape import Select


def left_null(select: Select, value: exp.Expr) -> bool:
    """Whether an expression of the select is grouped by in some of its rows, and NULL in the others."""
    group = select.node.args.get("group")
    if group is None or value.find_ancestor(exp.AggFunc) is not None:
        return False
    return any(_is(select, term, value) for total in group.expressions for term in _missing(total))


def _missing(total: exp.Expr) -> Iterator[exp.Expr]:
    """The terms that some of the groupings leave out."""
    if isinstance(total, (exp.Rollup, exp.Cube)):
        for term in total.expressions:
            yield from _terms(term)
    elif isinstance(total, exp.GroupingSets):
        sets = [list(_terms(entry)) for entry in total.expressions]
        yield from (term for terms in sets for term in terms if not all(term in other for other in sets))


def _terms(entry: exp.Expr) -> list[exp.Expr]:
    """`(a, b)`, `(a)` and `a` alike."""
    return list(entry.expressions) if isinstance(entry, exp.Tuple) else [entry.unnest()]


def _is(select: Select, term: exp.Expr, value: exp.Expr) -> bool:
    """Whether a term of the grouping is this expression, by its place in the list, by its name or by its text."""
    if isinstance(term, exp.Literal) and not term.is_string:
        place = int(term.this) - 1
        return place < len(select.outputs) and select.outputs[place][1] is value
    return term == value or (
        isinstance(term, exp.Column)
        and select.named.get(term.name.lower()) is value
        and term not in value.find_all(exp.Column)
    )
