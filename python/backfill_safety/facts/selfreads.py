"""What a model reads its own table for."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from .bounds import line_of
from .leaves import leaves_of
from .lineage import MAX_STEPS, Leaf, find_input, origins
from .logic import disjuncts
from .shape import Generated, Input, Query, Role, Select, Table, inner_query
from .types import SelfRead, SelfUse


def is_only(this: str, body: Table | Generated | Query) -> bool:
    """Whether an input holds rows of the target and of nothing else."""
    leaves = list(leaves_of(Input("", body, Role.FROM)))
    return bool(leaves) and all(isinstance(leaf, Table) and leaf.key == this for leaf in leaves)


def reads(this: str, body: Table | Generated | Query) -> bool:
    """Whether rows of the target are among those of an input."""
    return any(isinstance(leaf, Table) and leaf.key == this for leaf in leaves_of(Input("", body, Role.FROM)))


def anti_condition(this: str, select: Select, condition: exp.Expr) -> bool:
    """Whether only rows pass that the target lacks or has otherwise.

    `not exists (… from this …)`, `key not in (select … from this)`, `this.key is null` after a left join, or a comparison with the
    row of the target that stands beside (`this.id is null or s.updated_at > this.updated_at`).
    """
    if isinstance(condition, exp.Not) and isinstance(condition.this, (exp.Exists, exp.In)):
        query = subquery_of(select, condition.this)
        return query is not None and any(reads(this, e.body) for arm in query.arms for e in arm.inputs)
    if isinstance(condition, exp.Or):
        return all(anti_condition(this, select, part) for part in disjuncts(condition))
    if isinstance(condition, (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NEQ, exp.NullSafeNEQ)):
        sides = [
            {id(find_input(select, c)[1]) for c in part.find_all(exp.Column)}
            for part in (condition.this, condition.expression)
        ]
        own = {id(e) for e in select.inputs if is_only(this, e.body) and not grouped(e.body)}
        return bool(own & sides[0]) != bool(own & sides[1]) and all(sides)
    if isinstance(condition, exp.Is) and isinstance(condition.expression, exp.Null):
        for column in condition.this.find_all(exp.Column):
            entry = find_input(select, column)[1]
            if entry is not None and entry.padded and is_only(this, entry.body):
                return True
    return False


def grouped(body: Table | Generated | Query) -> bool:
    """Whether an input holds totals over rows, such as a maximum a group, or passes such totals on."""
    if not isinstance(body, Query):
        return False
    if "grouped" not in body.memo:
        body.memo["grouped"] = False
        body.memo["grouped"] = any(
            arm.node.args.get("group") is not None
            or any(v.find(exp.AggFunc) for _, v in arm.outputs)
            or any(grouped(entry.body) for entry in arm.inputs)
            for arm in body.arms
        )
    found: bool = body.memo["grouped"]
    return found


def subquery_of(select: Select, node: exp.Expr) -> Query | None:
    """The query inside `exists (…)`, `x in (…)` or a scalar subquery; None for a list."""
    inner = (
        node.args.get("query")
        if isinstance(node, exp.In)
        else node.this
        if isinstance(node, exp.Exists)
        else node
    )
    return inner_query(select, inner) if inner is not None else None


class SelfReads:
    """Finds the reads of the target in one query."""

    def __init__(self, this: str) -> None:
        self.this = this
        self._seen: set[tuple[int, SelfUse]] = set()

    def of(self, query: Query, use: SelfUse = SelfUse.ROWS, depth: int = 0) -> Iterator[SelfRead]:
        """Every read of the target below a query whose rows are used in the way of `use`."""
        if (id(query), use) in self._seen or depth > MAX_STEPS:
            return
        self._seen.add((id(query), use))
        for select in query.arms:
            yield from self._select(select, use, depth)
        for removed in query.removed:
            yield from self.of(removed, SelfUse.ANTI_JOIN, depth + 1)
        for met in query.met:
            yield from self.of(met, SelfUse.FILTER, depth + 1)

    def _select(self, select: Select, use: SelfUse, depth: int) -> Iterator[SelfRead]:
        for entry in select.inputs:
            if not reads(self.this, entry.body):
                if isinstance(entry.body, Query):  # its conditions may read the target
                    yield from self.of(entry.body, use, depth + 1)
                continue
            if use is SelfUse.ROWS and is_only(self.this, entry.body):
                found = self._joined_for(select, entry)
                if found is None:
                    continue
                how = found
            elif isinstance(entry.body, Query):
                yield from self.of(entry.body, use, depth + 1)
                continue
            else:
                how = use
            yield SelfRead(
                use=how, columns=tuple(sorted(self._columns(select, entry))), line=self._line(entry)
            )
        yield from self._subqueries(select, use, depth)

    def _joined_for(self, select: Select, entry: Input) -> SelfUse | None:
        """What an input that holds only the target's rows is joined for; None for a left join that nothing uses."""
        if entry.role is Role.ANTI or any(anti_condition(self.this, select, c) for c in select.where):
            return SelfUse.ANTI_JOIN
        if len(select.inputs) == 1:
            return SelfUse.ROWS
        if self._in_outputs(select, entry):
            return SelfUse.ROWS
        compared = [*select.where, *select.qualify, *(c for e in select.inputs for c in e.on)]
        for condition in compared:
            for comparison in condition.find_all(exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between):
                if any(find_input(select, c)[1] is entry for c in comparison.find_all(exp.Column)):
                    return SelfUse.WATERMARK
        used = any(
            find_input(select, c)[1] is entry
            for w in (*select.where, *select.qualify)
            for c in w.find_all(exp.Column)
        )
        return SelfUse.FILTER if used or entry.role is not Role.LEFT else None

    def _in_outputs(self, select: Select, entry: Input) -> bool:
        for name, value in select.outputs:
            if name == "*":
                table = value.args.get("table") if isinstance(value, exp.Column) else None
                if table is None and len(select.inputs) == 1:
                    return True
                if table is not None and select.by_alias.get(table.name.lower()) is entry:
                    return True
                continue
            for column in value.find_all(exp.Column):
                if find_input(select, column)[1] is entry and find_input(select, column)[2]:
                    return True
        return False

    def _columns(self, select: Select, entry: Input) -> Iterator[str]:
        for part in (*(v for _, v in select.outputs), *select.where, *entry.on):
            for column in part.find_all(exp.Column):
                for origin in origins(select, column, aliases=False):
                    body = origin.input.body if isinstance(origin, Leaf) else None
                    own = isinstance(body, Table) and body.key == self.this and not column.is_star
                    if own and isinstance(origin, Leaf):
                        yield origin.column

    def _line(self, entry: Input) -> int:
        leaf = next((t for t in leaves_of(entry) if isinstance(t, Table) and t.key == self.this), None)
        return line_of(leaf.node) if leaf is not None else 0

    def _subqueries(self, select: Select, use: SelfUse, depth: int) -> Iterator[SelfRead]:
        conditions = [
            *select.where,
            *select.qualify,
            *select.having,
            *(c for e in select.inputs for c in e.on),
        ]
        for part in conditions:
            for node, how in _inner_queries(part):
                query = subquery_of(select, node)
                if query is not None:
                    yield from self.of(query, how, depth + 1)
        for _, value in select.outputs:
            for node, _ in _inner_queries(value):
                query = subquery_of(select, node)
                if query is not None:
                    yield from self.of(query, use, depth + 1)


def _inner_queries(part: exp.Expr) -> Iterator[tuple[exp.Expr, SelfUse]]:
    """The subqueries of an expression, the outermost ones, and what reading the target there would be for."""
    stack: list[tuple[exp.Expr, bool]] = [(part, False)]
    while stack:
        node, negated = stack.pop()
        if isinstance(node, exp.Exists) or (isinstance(node, exp.In) and node.args.get("query") is not None):
            yield node, SelfUse.ANTI_JOIN if negated else SelfUse.FILTER
            if isinstance(node, exp.In):
                stack.append((node.this, False))
        elif isinstance(node, (exp.Subquery, exp.Select, exp.SetOperation)):
            yield node, SelfUse.WATERMARK
        else:
            negates = isinstance(node, exp.Not)
            stack += [
                (child, negates or (negated and isinstance(node, exp.Paren)))
                for child in node.iter_expressions()
            ]
