"""What ClickHouse writes in its own way, put as everyone else does: `prewhere`, and `with <expression> as <name>`.

Its totals (`rollup`, `cube`, `grouping sets`) hold a type's default where others leave NULL: the terms are taken as plain ones.
"""

from __future__ import annotations

from sqlglot import exp

MOST = 50_000
"""Nodes that the named expressions of one query may grow to: each may name the one before it twice."""
MOST_NAMES = 200
"""Each of them is looked for in the whole query."""


def usual(tree: exp.Expr) -> None:
    """Change a tree in place. Raises ValueError where the named expressions grow beyond measure."""
    for select in tree.find_all(exp.Select):
        before = select.args.get("prewhere")
        if before is not None:
            select.set("prewhere", None)
            select.where(before.this, copy=False)
    for total in list(tree.find_all(exp.Rollup, exp.Cube, exp.GroupingSets)):
        if isinstance(total.parent, exp.Group) and total.arg_key == "expressions":
            total.replace(exp.Tuple(expressions=total.expressions))
    left = MOST
    if sum(1 for cte in tree.find_all(exp.CTE) if cte.args.get("scalar")) > MOST_NAMES:
        raise ValueError(f"it names more than {MOST_NAMES} expressions, too often to be read")
    for with_ in list(tree.find_all(exp.With)):
        for named in [cte for cte in with_.expressions if cte.args.get("scalar")]:
            left = _fill_in(with_.parent, named, left)
        kept = [cte for cte in with_.expressions if not cte.args.get("scalar")]
        if kept:
            with_.set("expressions", kept)
        else:
            with_.pop()


def _fill_in(holder: exp.Expr | None, named: exp.CTE, left: int) -> int:
    """Put a named expression wherever its name stands; how many nodes may still be put in."""
    if holder is None:
        return left
    name, size = named.alias.lower(), sum(1 for _ in named.this.walk())
    for column in list(holder.find_all(exp.Column)):
        if column.name.lower() != name or column.table or column.find_ancestor(exp.CTE) is named:
            continue
        left -= size
        if left < 0:
            raise ValueError("its named expressions name each other too often to be read")
        column.replace(exp.Paren(this=named.this.copy()))
    return left
