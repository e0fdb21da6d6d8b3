"""Conditions taken apart: what must all hold, and of what one must."""

from __future__ import annotations

from sqlglot import exp


def conjuncts(node: exp.Expr | None) -> list[exp.Expr]:
    """The conditions that must all hold, parentheses and nested ANDs undone."""
    if node is None:
        return []
    found: list[exp.Expr] = []
    stack = [node]
    while stack:
        top = stack.pop()
        if isinstance(top, exp.And):
            stack += [top.expression, top.this]
        elif isinstance(top, exp.Paren):
            stack.append(top.this)
        elif isinstance(top, exp.Not) and isinstance(top.this.unnest(), exp.Or):
            inner = top.this.unnest()
            stack += [exp.Not(this=inner.expression), exp.Not(this=inner.this)]
        elif isinstance(top, exp.Not) and type(top.this.unnest()) in _OPPOSITES:
            inner = top.this.unnest()
            found.append(_OPPOSITES[type(inner)](this=inner.this, expression=inner.expression))
        else:
            found.append(top)
    return found


_OPPOSITES: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.LT: exp.GTE,
    exp.LTE: exp.GT,
    exp.GT: exp.LTE,
    exp.GTE: exp.LT,
}


def disjuncts(node: exp.Expr) -> list[exp.Expr]:
    """The conditions of which one must hold."""
    found: list[exp.Expr] = []
    stack = [node]
    while stack:
        top = stack.pop()
        if isinstance(top, exp.Or):
            stack += [top.expression, top.this]
        elif isinstance(top, exp.Paren):
            stack.append(top.this)
        else:
            found.append(top)
    return found
