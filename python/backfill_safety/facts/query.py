"""The facts of one rendering's SQL."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from backfill_safety.render import Rendering

from .bounds import line_of
from .clickhouse import usual
from .functions import step_of
from .grain import Grain
from .kinds import Kinds
from .lineage import Leaf, from_input, origins, paths
from .nullable import why_null
from .parents import relation_key
from .parsing import UnreadableError, parse
from .reach import Reach
from .selfreads import SelfReads
from .shape import Input, Query, Role, Select, Table, query_of
from .taint import Taint, Taints
from .types import Arm, Bound, Output, Path, SelfRead, Unstable
from .unstable import Instability
from .values import Values
from .windows import spell_out

_ZONE = re.compile(r"zone|'utc'|'[a-z_]+/[a-z_]+'|from_utc|to_utc")


class QueryFacts:
    """What one rendering's SQL says. Everything is read when first asked for, and once."""

    def __init__(
        self,
        rendering: Rendering,
        dialect: str,
        given: frozenset[str] = frozenset(),
        partition_column: str = "",
        window_columns: frozenset[str] = frozenset(),
    ) -> None:
        self.rendering = rendering
        self.this = relation_key(rendering.this)
        self.values = Values(
            self.this,
            rendering.marks,
            dialect,
            given,
            self._target_grain,
            partition_column,
            window_columns,
            rendering.vars_read,
        )
        self._taints = Taints(self.this, self._written_by)
        try:
            tree = self._tree(rendering, dialect)
            if dialect == "clickhouse":
                usual(tree)
            self._kinds = Kinds(tree)
            spell_out(self._kinds.of(exp.Select))
            self.values.hide_marks(self._kinds.of(exp.Column))
            self.query = query_of(tree, None)
        except UnreadableError:
            raise
        except (ValueError, RecursionError) as error:
            raise UnreadableError(str(error) or "the SQL nests too deeply to be read") from error
        self._whole = Input("", self.query, Role.FROM)
        self.reach = Reach(self.values)
        self._outputs: dict[str, Output] = {}
        self._arms: tuple[Arm, ...] | None = None
        self._bounds: tuple[Bound, ...] | None = None
        self._self_reads: tuple[SelfRead, ...] | None = None
        self._unstable: tuple[Unstable, ...] | None = None
        self._selects: list[Select] | None = None

    def _written_by(self, text: str) -> Taint:
        """What the template wrote a literal from, as far as it differs from run to run."""
        marks = self.values.marked(text)
        stamp = any(mark.kind == "clock" for mark in marks)
        return Taint(clock=stamp, stamp=stamp, random=any(mark.name == "invocation_id" for mark in marks))

    @staticmethod
    def _tree(rendering: Rendering, dialect: str) -> exp.Expr:
        """The marked SQL, or the plain one where a value stands for a piece of syntax."""
        if rendering.marked and rendering.marked != rendering.sql:
            try:
                return parse(rendering.marked, dialect)
            except UnreadableError:
                pass
        return parse(rendering.sql, dialect)

    def _target_grain(self, column: str) -> Grain | None:
        """The grain of a column of the target, as the result gives it."""
        grains = {path.grain for path in self.output(column).paths} if column else {None}
        return grains.pop() if len(grains) == 1 else None

    @property
    def arms(self) -> tuple[Arm, ...]:
        """The streams of rows into the result."""
        if self._arms is None:
            self._arms = self.reach.of(self.query)
        return self._arms

    @property
    def self_reads(self) -> tuple[SelfRead, ...]:
        if self._self_reads is None:
            found = [] if self.this not in self.tables else list(SelfReads(self.this).of(self.query))
            self._self_reads = tuple(dict.fromkeys(found))
        return self._self_reads

    @property
    def unstable(self) -> tuple[Unstable, ...]:
        if self._unstable is None:
            self._unstable = tuple(dict.fromkeys(Instability(self.values, self._kinds).of(self.query)))
        return self._unstable

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """Every bound anywhere in the query, also those on joined inputs and in subqueries."""
        if self._bounds is None:
            found: dict[Bound, None] = {}
            for select in self.selects:
                found.update(dict.fromkeys(self.reach.own(select)[0]))
                for entry in select.inputs:
                    if entry.role in (Role.LEFT, Role.RIGHT, Role.FULL):
                        found.update(dict.fromkeys(self.reach.joined(select, entry)))
            self._bounds = tuple(found)
        return self._bounds

    @property
    def names_zones(self) -> bool:
        """Whether a time zone is named anywhere; where none is, no two can differ."""
        text = self.rendering.sql.lower()
        return any(part in text for part in ("zone", "utc", "/")) and bool(_ZONE.search(text))

    @property
    def selects(self) -> list[Select]:
        """Every select that is read as rows, each once."""
        if self._selects is None:
            seen: dict[int, Select] = {}
            stack: list[Query] = [self.query]
            while stack:
                query = stack.pop()
                for select in query.arms:
                    if id(select) not in seen:
                        seen[id(select)] = select
                        stack += [entry.body for entry in select.inputs if isinstance(entry.body, Query)]
                stack += [q for q in (*query.removed, *query.met) if id(q.arms[0]) not in seen]
            self._selects = list(seen.values())
        return self._selects

    @property
    def tables(self) -> frozenset[str]:
        """The keys of all relations that the SQL names, CTEs left out."""
        return frozenset(
            relation_key(".".join(part.name for part in table.parts))
            for table in self._kinds.of(exp.Table)
            if isinstance(table, exp.Table) and isinstance(table.this, exp.Identifier)
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The result's columns in order, as far as stars can be followed."""
        return _names_of(self.query)

    def output(self, name: str) -> Output:
        """What is known of a column of the result; an empty `Output` where nothing is."""
        lowered = name.lower()
        if lowered not in self._outputs:
            self._outputs[lowered] = Output(name=lowered)  # what refers to itself says nothing
            self._outputs[lowered] = self._read(lowered)
        return self._outputs[lowered]

    @property
    def group_columns(self) -> tuple[str, ...]:
        """The columns of the result by which it is grouped; empty where it is not, or where that cannot be told."""
        if len(self.query.arms) != 1 or self.query.arms[0].has_star:
            return ()
        select = self.query.arms[0]
        group = select.node.args.get("group")
        if group is None or not group.expressions:
            return ()
        found = []
        for term in group.expressions:
            if isinstance(term, exp.Literal) and not term.is_string and int(term.this) <= len(select.outputs):
                found.append(select.outputs[int(term.this) - 1][0])
            else:
                text = term.sql()
                found += [n for n, v in select.outputs if n == term.name.lower() or v.sql() == text][:1]
        return tuple(found)

    def nullable(self, name: str) -> str:
        """Why a column of the result can be NULL, "" when nothing says so."""
        for origin in from_input(self._whole, name.lower()):
            reason = why_null(origin.select, origin.value) if not isinstance(origin, Leaf) else ""
            if reason:
                return reason
        return ""

    def grouped(self, name: str) -> bool:
        """Whether a column of the result is one by which rows are grouped into totals."""
        seen = 0
        todo = from_input(self._whole, name)
        while todo and seen < 60:
            seen += 1
            origin = todo.pop()
            if isinstance(origin, Leaf):
                continue
            if origin.select.node.args.get("group") is not None:
                return True
            for column in origin.value.find_all(exp.Column):
                todo += [
                    o
                    for o in origins(origin.select, column)
                    if not isinstance(o, Leaf) and o.select is not origin.select
                ]
        return False

    def _read(self, name: str) -> Output:
        found: dict[Path, None] = {}
        clock = stamp = random = itself = False
        typed, line = "", 0
        for origin in from_input(self._whole, name):
            if isinstance(origin, Leaf):
                body = origin.input.body
                found[Path(body.key if isinstance(body, Table) else "", origin.column)] = None
                continue
            found.update(dict.fromkeys(paths(origin.select, origin.value)))
            taint = self._taints.taint(origin.select, origin.value)
            clock, stamp, random, itself = (
                clock or taint.clock,
                stamp or taint.stamp,
                random or taint.random,
                itself or taint.itself,
            )
            typed = typed or _type(origin.value)
            line = line or line_of(origin.value)
        return Output(
            name=name,
            paths=tuple(found),
            stamp=stamp,
            clock=clock,
            random=random,
            itself=itself,
            typed=typed,
            line=line,
        )


def _names_of(query: Query, depth: int = 0) -> tuple[str, ...]:
    if "names" not in query.memo:
        query.memo["names"] = ()
        query.memo["names"] = tuple(dict.fromkeys(_names(query.arms[0], depth)))
    found: tuple[str, ...] = query.memo["names"]
    return found


def _names(select: Select, depth: int) -> Iterator[str]:
    for name, item in select.outputs:
        if name != "*":
            yield name
            continue
        table = item.args.get("table") if isinstance(item, exp.Column) else None
        entries = (
            select.inputs
            if table is None
            else [select.by_alias[table.name.lower()]]
            if table.name.lower() in select.by_alias
            else []
        )
        for entry in entries:
            if isinstance(entry.body, Query) and depth < 60:
                yield from entry.renamed or _names_of(entry.body, depth + 1)


def _type(value: exp.Expr) -> str:
    """The type that the outermost cast or function of time gives."""
    if isinstance(value, (exp.Cast, exp.TryCast)):
        return value.to.sql().lower()
    step = step_of(value)
    return (
        "timestamp"
        if step is not None and step.name in ("date_trunc", "at time zone", "convert_timezone")
        else ("date" if step is not None and step.name == "date" else "")
    )
