"""What a bound's value hangs on: a literal, a var, the clock, the target itself, another table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from backfill_safety.render import Mark

from .functions import clock_grain, is_clock, step_of
from .grain import Grain, boundary_of, finer, is_moment
from .leaves import leaves_below, one_row
from .lineage import MAX_STEPS, Inner, Leaf, origins
from .moved import days_moved, shift_of
from .names import says_time, says_window
from .shape import Generated, Query, Select, Table, inner_query, query_of
from .types import Kind
from .value import NOTHING, Value

MAX_TEXT = 160

_KINDS = {
    "var": Kind.VAR,
    "env_var": Kind.VAR,
    "batch": Kind.VAR,
    "clock": Kind.CLOCK,
    "query": Kind.OTHER,
}


class Values:
    """Classifies values of one rendering.

    this: the target's key. marks: the rendering's marks. given: vars that were given explicitly, whose value is then judged too.
    target_grain: the grain of a column of the target, where the result tells it. window_columns: its key and partition columns,
    lower case, by which a window may run though no time shows. vars_read: what the template's vars gave.
    """

    def __init__(
        self,
        this: str,
        marks: Iterable[Mark],
        dialect: str,
        given: frozenset[str] = frozenset(),
        target_grain: Callable[[str], Grain | None] = lambda _: None,
        partition_column: str = "",
        window_columns: frozenset[str] = frozenset(),
        vars_read: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        self.this, self.dialect, self.given = this, dialect, given
        self.window_columns = window_columns
        self._vars = {
            str(value): name
            for name, value in vars_read.items()
            if not isinstance(value, bool) and value is not None and str(value)
        }
        self.target_grain, self.partition_column = target_grain, partition_column
        self.marks = {mark.text.lower(): mark for mark in marks}
        self._pattern = re.compile(
            "|".join(sorted(map(re.escape, self.marks), key=len, reverse=True)) or r"(?!)", re.IGNORECASE
        )

    def foreign(self) -> Values:
        """The same, with the target read like any other relation."""
        return Values("", self.marks.values(), self.dialect, self.given, window_columns=self.window_columns)

    def marked(self, text: str) -> list[Mark]:
        """The marks in a text, in order."""
        return [self.marks[found.lower()] for found in self._pattern.findall(text)] if "__" in text else []

    def hide_marks(self, columns: Iterable[exp.Expr]) -> None:
        """Turn columns that are marks into placeholders, so that nobody takes a var for a column."""
        for column in columns if self.marks else ():
            if column.name.lower() in self.marks and not column.args.get("table"):
                column.replace(exp.Placeholder(this=column.name))

    def shown(self, node: exp.Expr) -> str:
        """The expression as SQL of one line, cut at `MAX_TEXT` characters, its marks as the template wrote them."""
        text = " ".join(node.sql(dialect=self.dialect, comments=False).split())
        if "__" in text:
            text = self._pattern.sub(lambda found: self._written(found[0]), text)
        return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"

    def _written(self, mark: str) -> str:
        """How a template spells a mark."""
        known = self.marks[mark.lower()]
        if known.kind in ("var", "env_var"):
            return f"{{{{ {known.kind}('{known.name}') }}}}"
        return known.value if known.value is not None else "{{ … }}"

    def of(self, select: Select, node: exp.Expr, depth: int = 0) -> Value:
        """What `node`, an expression of `select`, hangs on."""
        if depth > MAX_STEPS:
            return Value(frozenset({Kind.UNKNOWN}))
        if isinstance(node, (exp.Paren, exp.Alias)):
            return self.of(select, node.this, depth)
        if is_clock(node):
            return Value(frozenset({Kind.CLOCK}), clock_grain(node), moment=True)
        if isinstance(node, exp.Literal):
            return self._literal(node)
        if isinstance(node, (exp.Placeholder, exp.Parameter)):
            return self._marked(self.marked(node.name), None)
        if isinstance(node, exp.Column):
            key = ("value", id(self), id(node))
            if key not in select.memo:
                select.memo[key] = Value(columns=True)  # a column that is made of itself is data
                select.memo[key] = self._column(select, node, depth)
            found: Value = select.memo[key]
            return found
        if isinstance(node, (exp.Subquery, exp.Query)):
            return self._subquery(select, node, depth)
        return self._nested(select, node, depth)

    def _nested(self, select: Select, node: exp.Expr, depth: int) -> Value:
        step = step_of(node)
        if step is not None:
            inner = self.of(select, step.inner, depth + 1)
            grain = inner.grain
            if grain is not None and step.grain is not None and not grain.lies_on(step.grain):
                grain = step.grain
            cut = inner.cut or step.grain is not None
            return inner._replace(grain=grain, moment=inner.moment or step.grain is not None, cut=cut)
        shift = shift_of(node)
        if shift is not None:  # a length that is a var does not make the moment one
            inner = self.of(select, shift.inner, depth + 1)
            grain = finer(inner.grain, shift.keeps)
            if (
                grain is None
                and inner.kinds - {Kind.VAR, Kind.LITERAL}
                and shift.keeps is not None
                and shift.keeps < Grain.DAY
            ):
                grain = shift.keeps  # whatever it was, an hour off it is no day
            by = days_moved(node)
            moved = None if by is None or inner.moved is None else inner.moved + by
            return inner._replace(grain=grain, text="", moved=moved)
        if isinstance(node, (exp.Coalesce, exp.Greatest, exp.Least, exp.Case, exp.If)):
            return self._choice(select, node, depth)
        parts = [self.of(select, child, depth + 1) for child in node.iter_expressions()]
        found = NOTHING
        for part in parts:
            found = found.joined(part)
        telling = [part for part in parts if part.kinds or part.columns]
        if isinstance(node, (exp.AggFunc, exp.Window)):
            found = found._replace(single=True)
        return found._replace(grain=telling[0].grain if len(telling) == 1 else None)

    def _choice(self, select: Select, node: exp.Expr, depth: int) -> Value:
        """The finest of the alternatives; literals that stand in for a missing value do not count."""
        parts = [self.of(select, part, depth + 1) for part in node.iter_expressions()]
        found = NOTHING
        for part in parts:
            found = found.joined(part)
        if isinstance(node, exp.Coalesce) and parts[0].kinds - {Kind.LITERAL}:
            found = found._replace(kinds=parts[0].kinds)  # the others only stand in for a missing value
            parts = parts[:1]
        telling = [p for p in parts if p.kinds - {Kind.LITERAL}]
        grains = [p.grain for p in telling]
        grain = min((g for g in grains if g is not None), default=None) if None not in grains else None
        if Kind.ITSELF in found.kinds and not isinstance(node, exp.Least):
            found = found._replace(guarded=True)
        return found._replace(grain=grain)

    def _literal(self, node: exp.Literal) -> Value:
        marks = self.marked(node.this) if node.is_string else []
        if marks:
            return self._marked(marks, node.this)
        text = str(node.this)
        name = self._vars.get(text)
        if name is not None and (
            says_time(name) or says_window(name)
        ):  # a filter of the template took the mark off
            return Value(frozenset({Kind.VAR}), names=(name,), moment=is_moment(text))
        moment = is_moment(text) and (node.is_string or len(text) == 8)
        return Value(
            frozenset({Kind.LITERAL}),
            boundary_of(text) if moment else None,
            moment=moment,
            text=text if moment else "",
        )

    def _marked(self, marks: list[Mark], text: str | None) -> Value:
        found = NOTHING
        for mark in marks:
            found = found.joined(self._mark(mark))
        if len(marks) == 1 and marks[0].value is not None:
            filled = (text or marks[0].text).replace(marks[0].text, marks[0].value)
            judged = marks[0].kind == "clock" or marks[0].name in self.given
            grain = boundary_of(filled) if judged else None
            if marks[0].kind == "clock" and grain is not None:
                grain = min(grain, Grain.DAY)  # that today is a month's first says nothing
            found = found._replace(
                grain=grain, moment=is_moment(filled), text=filled if is_moment(filled) else ""
            )
        return found

    def _mark(self, mark: Mark) -> Value:
        if mark.kind in ("var", "env_var", "batch"):
            return Value(frozenset({Kind.VAR}), names=(mark.name,))
        if mark.kind == "query":
            return self._query_mark(mark)
        if mark.kind == "clock" and mark.value in self._vars:  # the clock is only the var's default
            return Value(frozenset({Kind.VAR}), names=(self._vars[mark.value],))
        return Value(frozenset({_KINDS.get(mark.kind, Kind.UNKNOWN)}))

    def _query_mark(self, mark: Mark) -> Value:
        """A query that the template runs: read like a subquery."""
        try:
            tree = sqlglot.parse_one(mark.name, dialect=self.dialect)
            query = query_of(tree, None)
        except (SqlglotError, ValueError, RecursionError):
            return Value(frozenset({Kind.UNKNOWN}))
        return self.of_query(query)._replace(in_subquery=False, guarded=True)

    def _column(self, select: Select, node: exp.Column, depth: int) -> Value:
        if node.name.lower() == "_dbt_max_partition":
            return Value(
                frozenset({Kind.ITSELF}),
                self.target_grain(self.partition_column),
                (self.partition_column,) if self.partition_column else (),
                guarded=True,
                moment=True,
                single=True,
            )
        found = NOTHING
        for origin in origins(select, node, aliases=False):
            if isinstance(origin, Leaf):
                found = found.joined(self._leaf(origin))
            elif self._lone(origin):
                value = self.of(origin.select, origin.value, depth + 1)
                found = found.joined(value)._replace(grain=value.grain)
            else:
                found = found._replace(columns=True)
        return found if found != NOTHING else Value(columns=True)

    def _leaf(self, leaf: Leaf) -> Value:
        body = leaf.input.body
        if isinstance(body, Table) and body.key == self.this:
            return Value(
                frozenset({Kind.ITSELF}), self.target_grain(leaf.column), (leaf.column,), moment=True
            )
        if isinstance(body, Generated) and not body.tied:
            return self._generated(body)
        return Value(columns=True)

    def _generated(self, body: Generated) -> Value:
        found = NOTHING
        holder = Select(exp.Select(), [], [], [], [], [], None)  # type: ignore[arg-type]
        for child in body.node.iter_expressions():
            if not isinstance(child, exp.TableAlias):
                found = found.joined(self.of(holder, child, 1))
        return found

    def _lone(self, origin: Inner) -> bool:
        """Whether the select gives one row, or only rows of the target: then its columns are values, not data."""
        select = origin.select
        tables = list(leaves_below(select))
        if tables and all(isinstance(t, Table) and t.key == self.this for t in tables):
            return True
        if not any(isinstance(t, Table) for t in tables):
            return one_row(select)
        return (
            select.node.args.get("group") is None
            and all(
                isinstance(v, exp.Expression)
                and v.find(exp.AggFunc) is not None
                and v.find(exp.Window) is None
                for n, v in select.outputs
                if n != "*"
            )
            and not select.has_star
        )

    def _subquery(self, select: Select, node: exp.Expr, depth: int) -> Value:
        query = inner_query(select, node)
        if query is None:
            return Value(frozenset({Kind.UNKNOWN}), in_subquery=True)
        return self.of_query(query, depth)

    def of_query(self, query: Query, depth: int = 0) -> Value:
        """What the single value of a subquery hangs on."""
        found = NOTHING
        grain: Grain | None = None
        for arm in query.arms:
            tables = list(leaves_below(arm))
            for _, output in arm.outputs:
                value = self.of(arm, output, depth + 1)
                grain = value.grain
                found = found.joined(value._replace(columns=False))
            if any(isinstance(t, Table) and t.key == self.this for t in tables):
                found = found._replace(kinds=found.kinds | {Kind.ITSELF}, moment=True)
            if any(isinstance(t, Table) and t.key != self.this for t in tables):
                found = found._replace(kinds=found.kinds | {Kind.OTHER}, moment=True)
        return found._replace(
            in_subquery=True, single=True, columns=False, grain=grain if len(query.arms) == 1 else None
        )
