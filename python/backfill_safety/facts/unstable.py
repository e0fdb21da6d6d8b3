"""What makes a query's rows differ from run to run though its inputs do not."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from .bounds import line_of
from .functions import is_random
from .kinds import Kinds
from .leaves import leaves_of, told_apart
from .lineage import MAX_STEPS, Inner, origins
from .selfreads import subquery_of
from .shape import Query, Select, Table
from .types import Unstable
from .values import Values

_NEEDS_ORDER = (exp.RowNumber, exp.FirstValue, exp.LastValue, exp.NthValue, exp.Lag, exp.Lead, exp.Ntile)


class Instability:
    """Finds the unstable parts of one query."""

    def __init__(self, values: Values, kinds: Kinds) -> None:
        self.values = values
        self._randoms = kinds.random
        self._firsts = kinds.has(exp.First, exp.Last)
        self._overs = kinds.has(exp.Window)
        self._seen: set[int] = set()

    def of(self, query: Query, depth: int = 0) -> Iterator[Unstable]:
        """Every unstable part below a query whose rows are used as rows."""
        if id(query) in self._seen or depth > MAX_STEPS:
            return
        self._seen.add(id(query))
        yield from self._limited(query)
        for select in query.arms:
            yield from self._select(select)
            for entry in select.inputs:
                if isinstance(entry.body, Query):
                    yield from self.of(entry.body, depth + 1)
            for condition in select.where:
                for node in condition.find_all(exp.In):
                    inner = subquery_of(select, node) if node.args.get("query") is not None else None
                    if inner is not None:
                        yield from self.of(inner, depth + 1)

    def _limited(self, query: Query) -> Iterator[Unstable]:
        nodes = [query.node, *(s.node for s in query.arms if s.node is not query.node)]
        for node in nodes:
            limit = node.args.get("limit") or node.args.get("offset")
            order = node.args.get("order")
            if limit is None or (
                order is not None and not any(_is_random(term) for term in order.expressions)
            ):
                continue
            if not any(
                isinstance(leaf, Table) for s in query.arms for e in s.inputs for leaf in leaves_of(e)
            ):
                continue
            count = limit.args.get("expression") or limit.args.get("count")
            if isinstance(count, exp.Literal) and count.this == "0":
                continue
            if len(query.arms) == 1 and _one_row(query.arms[0]):
                continue
            yield Unstable(what="limit", text=self.values.shown(limit).strip(), line=line_of(node))

    def _select(self, select: Select) -> Iterator[Unstable]:
        for entry in select.inputs:
            node = entry.body.node if isinstance(entry.body, Table) else None
            if node is not None and (node.args.get("sample") is not None):
                yield Unstable(what="sample", text=self.values.shown(node), line=line_of(node))
        for condition in (*select.where, *select.qualify, *select.having):
            if self._random(condition):
                yield Unstable(what="random", text=self.values.shown(condition), line=line_of(condition))
        for name, value in select.outputs:
            if self._random(value):
                yield Unstable(
                    what="random", text=self.values.shown(value), outputs=(name,), line=line_of(value)
                )
            first = self._first(value)
            if first is not None and first.find(exp.Order) is None:
                yield Unstable(
                    what="unordered", text=self.values.shown(first), outputs=(name,), line=line_of(first)
                )
        windows = self._windows(select) if self._overs and told_apart(select) else ()
        for window, outputs in windows:
            tied = _needs_order(window) and self._unordered(select, window)
            if tied and self._matters(select, window, outputs):
                text = self.values.shown(window)
                yield Unstable(what="unordered", text=text, outputs=outputs, line=line_of(window))
        distinct = select.node.args.get("distinct")
        on = distinct.args.get("on") if distinct is not None else None
        if distinct is not None and on is not None:
            order = select.node.args.get("order")
            keys = {e.sql() for e in (on.expressions if isinstance(on, exp.Tuple) else [on])}
            ordered = {o.this.sql() for o in order.expressions} if order is not None else set()
            if ordered <= keys and not all(v.sql() in keys for _, v in select.outputs):
                yield Unstable(what="unordered", text=self.values.shown(distinct).strip(), line=line_of(on))

    def _random(self, node: exp.Expr) -> bool:
        return self._randoms and any(
            is_random(part) for part in node.walk(prune=lambda n: isinstance(n, exp.Query))
        )

    def _first(self, value: exp.Expr) -> exp.Expr | None:
        """A first or last value outside a window."""
        if not self._firsts:
            return None
        found = value.find_all(exp.First, exp.Last)
        return next((f for f in found if not isinstance(f.parent, (exp.Window, exp.IgnoreNulls))), None)

    def _windows(self, select: Select) -> Iterator[tuple[exp.Window, tuple[str, ...]]]:
        for name, value in select.outputs:
            for window in value.find_all(exp.Window):
                yield window, (name,)
        for condition in select.qualify:
            for window in condition.find_all(exp.Window):
                yield window, ()

    def _unordered(self, select: Select, window: exp.Window) -> bool:
        """No order, a constant one, or one by the partition keys alone: all rows of a partition tie."""
        order = window.args.get("order")
        keys = {_key(select, e) for e in window.args.get("partition_by") or ()}
        if order is None:
            return True
        terms = [term.this if isinstance(term, exp.Ordered) else term for term in order.expressions]
        if any(_is_random(term) for term in terms):
            return True
        return all(_constant(term) or _key(select, term) in keys for term in terms)

    def _matters(self, select: Select, window: exp.Window, outputs: tuple[str, ...]) -> bool:
        """Nothing is chosen where all that the select gives is the partition's own keys."""
        keys = {_key(select, e) for e in window.args.get("partition_by") or ()}
        if not keys or select.has_star:
            return True
        others = [v for name, v in select.outputs if name not in outputs and v.find(exp.Window) is None]
        return not all(_key(select, value) in keys or _constant(value) for value in others)


def _needs_order(window: exp.Window) -> bool:
    """Whether the function takes one row before others; also inside `ignore nulls`."""
    inner = window.this
    return isinstance(inner, _NEEDS_ORDER) or isinstance(getattr(inner, "this", None), _NEEDS_ORDER)


def _one_row(select: Select) -> bool:
    """Aggregates without a group give one row."""
    if select.node.args.get("group") is not None or select.has_star:
        return False
    return all(v.find(exp.AggFunc) is not None and v.find(exp.Window) is None for _, v in select.outputs)


def _is_random(node: exp.Expr) -> bool:
    return any(is_random(part) for part in node.walk())


def _constant(node: exp.Expr) -> bool:
    return node.find(exp.Column) is None and not _is_random(node)


def _key(select: Select, node: exp.Expr) -> str:
    """An expression by its text, an alias of the same select replaced by what it stands for."""
    if isinstance(node, exp.Column):
        for origin in origins(select, node):
            if isinstance(origin, Inner) and origin.select is select:
                return origin.value.sql()
        return node.name.lower()
    return node.sql()
