"""How far the rows of a query reach: the streams that feed it, each with the bounds it passes through."""

from __future__ import annotations

from msgspec.structs import replace
from sqlglot import exp

from .bounds import bounds_of, never
from .leaves import leaves_of
from .lineage import MAX_STEPS, find_input
from .selfreads import anti_condition, grouped, is_only, subquery_of
from .shape import Generated, Input, Query, Role, Select, Table, inner_query
from .types import Arm, Bound, Kind, Side
from .values import Values

MAX_ARMS = 400
"""Unions of unions multiply; beyond this many streams the rest is taken as the first ones are."""


class Reach:
    """Reads the streams of one rendering, remembering the queries that it has seen."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self._arms: dict[int, tuple[Arm, ...]] = {}
        self._own: dict[int, tuple[tuple[Bound, ...], str]] = {}

    def of(self, query: Query, depth: int = 0) -> tuple[Arm, ...]:
        """The streams into a query, in the order of its arms."""
        known = self._arms.get(id(query))
        if known is not None:
            return known
        self._arms[id(query)] = ()  # a recursive part adds no stream
        if depth > MAX_STEPS:
            return ()
        found: list[Arm] = []
        for select in query.arms:
            found += self._select(select, depth)
        extra: list[Bound] = []
        for met in query.met:
            extra += _common(self.of(met, depth + 1))
        anti = any(is_only(self.values.this, removed) for removed in query.removed)
        arms = tuple(
            replace(arm, bounds=(*arm.bounds, *extra), anti=arm.anti or anti) for arm in found[:MAX_ARMS]
        )
        self._arms[id(query)] = arms
        return arms

    def own(self, select: Select) -> tuple[tuple[Bound, ...], str]:
        """The bounds that a select's own conditions set on its result, and why some cannot be known."""
        known = self._own.get(id(select))
        if known is not None:
            return known
        self._own[id(select)] = ((), "")
        found: list[Bound] = []
        unknown = ""
        conditions = [*select.where, *select.qualify, *select.having]
        for entry in select.inputs:
            if entry.role in (Role.INNER, Role.SEMI, Role.CROSS, Role.FROM):
                conditions += entry.on
        for condition in conditions:
            chosen = self._semi_join(select, condition)
            kinds = frozenset(k for b in chosen for k in b.kinds)
            for bound in bounds_of(self.values, select, condition):
                found.append(replace(bound, kinds=kinds, indirect=True) if chosen else bound)
            found += [replace(b, indirect=True) for b in chosen]
            unknown = unknown or self._unknown(condition)
        self._own[id(select)] = (tuple(found), unknown)
        return self._own[id(select)]

    def joined(self, select: Select, entry: Input) -> tuple[Bound, ...]:
        """The bounds on an outer-joined input, which do not bound the result."""
        return tuple(b for condition in entry.on for b in bounds_of(self.values, select, condition))

    def _select(self, select: Select, depth: int) -> list[Arm]:
        if any(never(condition) for condition in select.where):
            return []
        bounds, unknown = self.own(select)
        extra: list[Bound] = []
        drivers = [entry for entry in select.inputs if self._drives(select, entry)]
        for entry in select.inputs:
            if entry not in drivers and entry.role in (Role.INNER, Role.SEMI, Role.CROSS, Role.FROM):
                extra += self._restricting(select, entry, depth)
        anti = any(
            anti_condition(self.values.this, select, c) and not self._anti_narrower(select, c, bounds)
            for c in select.where
        ) or any(entry.role is Role.ANTI and is_only(self.values.this, entry.body) for entry in select.inputs)
        anti = anti or any(self._keys_anti(entry, depth) for entry in select.inputs if entry not in drivers)
        found: list[Arm] = []
        for entry in drivers:
            for arm in self._entry(entry, depth):
                found.append(
                    replace(
                        arm,
                        bounds=(*arm.bounds, *bounds, *extra),
                        anti=arm.anti or anti,
                        unknown=arm.unknown or unknown,
                    )
                )
        return found or [Arm(bounds=bounds, unknown=unknown)]

    def _drives(self, select: Select, entry: Input) -> bool:
        """Whether an input's rows are the result's: the first one, or the side that an outer join keeps."""
        kept = [e for e in select.inputs if e.role in (Role.RIGHT, Role.FULL)]
        if not kept:
            return entry is self._first(select)
        last = kept[-1]
        if entry is last:
            return True
        return last.role is Role.FULL and entry is select.inputs[0]

    def _first(self, select: Select) -> Input | None:
        """The first input that is data: generated rows that unfold another input, or one row of bounds, drive nothing."""
        plain = [e for e in select.inputs if e.role in (Role.FROM, Role.INNER, Role.CROSS)]
        for entry in plain:
            if entry.role is Role.FROM and is_only(self.values.this, entry.body) and not grouped(entry.body):
                return entry
            if any(isinstance(leaf, Table) and leaf.key != self.values.this for leaf in leaves_of(entry)):
                return entry
        return select.inputs[0] if select.inputs else None

    def _keys_anti(self, entry: Input, depth: int) -> bool:
        """Whether an inner-joined input holds only keys that the target lacks."""
        if entry.role not in (Role.INNER, Role.SEMI) or not isinstance(entry.body, Query):
            return False
        arms = self.of(entry.body, depth + 1)
        return bool(arms) and all(arm.anti for arm in arms)

    def _anti_narrower(self, select: Select, condition: exp.Expr, bounds: tuple[Bound, ...]) -> bool:
        """Whether an anti-join looks at less of the target than the select may read: `not in (… where day >= yesterday)`."""
        node = condition.this if isinstance(condition, exp.Not) else condition
        query = subquery_of(select, node) if isinstance(node, (exp.In, exp.Exists)) else None
        if query is None:
            return False
        foreign = Reach(self.values.foreign())
        for arm in query.arms:
            for inner in foreign.own(arm)[0]:
                if inner.side is Side.LOWER and inner.kinds == {Kind.CLOCK}:
                    own = [b for b in bounds if b.side is Side.LOWER]
                    if not any(b.value == inner.value or b.kinds == {Kind.CLOCK} for b in own):
                        return True
        return False

    def _entry(self, entry: Input, depth: int) -> tuple[Arm, ...]:
        body = entry.body
        if isinstance(body, Query):
            return self.of(body, depth + 1)
        if isinstance(body, Table):
            return (Arm(source=body.key, itself=body.key == self.values.this),)
        return (Arm(bounds=self._series(entry, body)),)

    def _restricting(self, select: Select, entry: Input, depth: int) -> tuple[Bound, ...]:
        """What an inner-joined input lends to the result: only keys that it has pass."""
        if entry.role is Role.CROSS and not self._linked(select, entry):
            return ()
        if isinstance(entry.body, Generated):
            return self._series(entry, entry.body) if not entry.body.tied else ()
        if isinstance(entry.body, Query):
            found = tuple(replace(b, indirect=True) for b in _common(self.of(entry.body, depth + 1)))
            made = any(b.side is Side.LOWER for b in found) or any(
                isinstance(leaf, Table) for leaf in leaves_of(entry)
            )
            return found if made else (*found, *self._made(entry))
        return ()

    def _made(self, entry: Input) -> tuple[Bound, ...]:
        """Generated rows begin at the values that they are made of: `cast('…' as date) + row_number() over (…)`."""
        found: list[Bound] = []
        todo, seen = [entry.body], 0
        while todo and seen < MAX_STEPS:
            seen += 1
            body = todo.pop()
            if not isinstance(body, Query):
                continue
            for select in body.arms:
                todo += [inner.body for inner in select.inputs]
                for name, output in select.outputs:
                    value = self.values.of(select, output) if name != "*" and select.inputs else None
                    kinds = value.kinds - {Kind.LITERAL} if value is not None else frozenset()
                    if kinds and value is not None:
                        found.append(
                            Bound(
                                side=Side.LOWER,
                                column=name,
                                value=self.values.shown(output),
                                kinds=kinds,
                                names=value.names,
                                itself=value.itself,
                                guarded=True,
                                indirect=True,
                            )
                        )
        return tuple(found)

    def _linked(self, select: Select, entry: Input) -> bool:
        for condition in select.where:
            if isinstance(condition, (exp.EQ, exp.LTE, exp.GTE, exp.GT, exp.LT)):
                sides = [
                    {id(find_input(select, c)[1]) for c in part.find_all(exp.Column)}
                    for part in (condition.args["this"], condition.args["expression"])
                ]
                if id(entry) in sides[0] ^ sides[1] and all(sides):
                    return True
        return False

    def _series(self, entry: Input, body: Generated) -> tuple[Bound, ...]:
        """The two ends of generated days, where they are not both fixed."""
        for series in body.node.find_all(
            exp.GenerateSeries, exp.ExplodingGenerateSeries, exp.GenerateDateArray, exp.GenerateTimestampArray
        ):
            ends = ((series.args.get("start"), Side.LOWER), (series.args.get("end"), Side.UPPER))
            holder = Select(exp.Select(), [], [], [], [], [], None)  # type: ignore[arg-type]
            found = []
            for end, side in ends:
                value = self.values.of(holder, end) if end is not None else None
                if value is not None and value.kinds and not value.columns:
                    kinds = value.kinds - {Kind.LITERAL} or value.kinds
                    found.append(
                        Bound(
                            side=side,
                            column=entry.alias or "the generated dates",
                            value=self.values.shown(end) if end is not None else "",
                            kinds=kinds,
                            grain=value.grain,
                            names=value.names,
                            itself=value.itself,
                            guarded=value.guarded,
                            in_subquery=False,
                        )
                    )
            return tuple(found)
        return ()

    def _semi_join(self, select: Select, condition: exp.Expr) -> tuple[Bound, ...]:
        """`key in (select key from … where …)`: the keys of a bounded query."""
        if isinstance(condition, exp.In) and condition.args.get("query") is not None:
            node = condition.args["query"]
        elif isinstance(condition, exp.Exists):
            node = condition.this
        else:
            return ()
        query = inner_query(select, node)
        if query is None:
            return ()
        if any(
            isinstance(leaf, Table) and leaf.key == self.values.this
            for arm in query.arms
            for e in arm.inputs
            for leaf in leaves_of(e)
        ):
            return ()
        return _common(self.of(query))

    def _unknown(self, condition: exp.Expr) -> str:
        """A whole condition that nobody knows."""
        node = condition.this if isinstance(condition, exp.Not) else condition
        if isinstance(node, exp.Placeholder):
            marks = self.values.marked(node.name)
            if marks and marks[0].unknown:
                return f"the condition `{self.values.shown(node)}` is not known"
        return ""


def _common(arms: tuple[Arm, ...]) -> tuple[Bound, ...]:
    """The bounds of those sides that every stream has."""
    if not arms:
        return ()
    found: list[Bound] = []
    for side in Side:
        each = [arm.on(side) for arm in arms]
        if all(each):
            found += [b for bounds in each for b in bounds]
    return tuple(dict.fromkeys(found))
