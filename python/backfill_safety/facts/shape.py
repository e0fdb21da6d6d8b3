"""The shape of a query: its selects, their inputs, and the conditions that join and filter them.

sqlglot's tree says what was written; the shape says what feeds what. CTEs, subqueries, unions and
parentheses are followed here and nowhere else. Each CTE is read once, however often it is used.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from sqlglot import exp

from .logic import conjuncts

MAX_DEPTH = 200
"""Deeper nesting is refused, so that a hostile model costs a finding and not the stack."""


class TooDeepError(ValueError):
    """The query nests deeper than `MAX_DEPTH`."""


class Role(Enum):
    """How an input takes part in a select."""

    FROM = "from"
    INNER = "inner"
    CROSS = "cross"
    LEFT = "left"
    RIGHT = "right"
    FULL = "full"
    SEMI = "semi"
    ANTI = "anti"


@dataclass(eq=False, slots=True)
class Table:
    """A relation outside the query. `key` is its name in lower case without quotes: `db.schema.name`."""

    key: str
    node: exp.Expr


@dataclass(eq=False, slots=True)
class Generated:
    """Rows that no table holds: unnest, a series, values, a table function. `tied` when it unfolds another input."""

    node: exp.Expr
    tied: bool


@dataclass(eq=False, slots=True)
class Input:
    """Something that a select reads. `padded`: an outer join may fill its columns with NULL."""

    alias: str
    body: Table | Generated | Query
    role: Role
    on: list[exp.Expr] = field(default_factory=list)
    using: tuple[str, ...] = ()
    padded: bool = False
    renamed: tuple[str, ...] = ()


@dataclass(eq=False, slots=True)
class Select:
    """One select, of one arm of a union.

    outputs: name in lower case and expression, in order; a star stands as ("*", Star or Column).
    outer: the select around it, where it is a subquery in an expression.
    """

    node: exp.Select
    inputs: list[Input]
    outputs: list[tuple[str, exp.Expr]]
    where: list[exp.Expr]
    qualify: list[exp.Expr]
    having: list[exp.Expr]
    env: Env
    outer: Select | None = None
    by_alias: dict[str, Input] = field(default_factory=dict)
    named: dict[str, exp.Expr] = field(default_factory=dict)
    memo: dict[Hashable, Any] = field(default_factory=dict)
    """What has been found out about it, so that CTEs used many times are followed once."""

    @property
    def has_star(self) -> bool:
        return any(name == "*" for name, _ in self.outputs)


@dataclass(eq=False, slots=True)
class Query:
    """A select or a union of selects. `removed`: what EXCEPT takes away; `met`: what INTERSECT keeps only."""

    arms: list[Select]
    node: exp.Expr
    removed: list[Query] = field(default_factory=list)
    met: list[Query] = field(default_factory=list)
    distinct: bool = False
    memo: dict[Hashable, Any] = field(default_factory=dict)


class Env:
    """The CTEs in sight, the nearest first."""

    __slots__ = ("_found", "_open", "ctes", "parent")

    def __init__(self, ctes: Mapping[str, exp.CTE], parent: Env | None = None) -> None:
        self.ctes, self.parent = ctes, parent
        self._found: dict[str, Query | None] = {}
        self._open: set[str] = set()

    def lookup(self, name: str, depth: int) -> tuple[Query | None, bool]:
        """The query behind a CTE's name, and whether the name is a CTE at all (a recursive one has no query yet)."""
        cte = self.ctes.get(name)
        if cte is None:
            return self.parent.lookup(name, depth) if self.parent else (None, False)
        if name in self._open:
            return None, self._recursive(cte) or self._outer(name, depth) is None
        if name not in self._found:
            self._open.add(name)
            try:
                self._found[name] = query_of(cte.this, self, None, depth + 1)
            finally:
                self._open.discard(name)
        return self._found[name], True

    def _outer(self, name: str, depth: int) -> Query | None:
        return self.parent.lookup(name, depth)[0] if self.parent else None

    @staticmethod
    def _recursive(cte: exp.CTE) -> bool:
        holder = cte.parent
        return bool(holder is not None and holder.args.get("recursive"))


def query_of(node: exp.Expr, env: Env | None, outer: Select | None = None, depth: int = 0) -> Query:
    """Read the shape of a select, union or parenthesis of them.

    Raises:
        TooDeepError: it nests too deeply.
        ValueError: it is something else than a query.
    """
    if depth > MAX_DEPTH:
        raise TooDeepError(f"the query nests more than {MAX_DEPTH} deep")
    env = _env(node, env)
    if isinstance(node, (exp.Subquery, exp.Paren)):
        return query_of(node.this, env, outer, depth + 1)
    if isinstance(node, exp.SetOperation):
        return _union(node, env, outer, depth)
    if isinstance(node, exp.Select):
        return Query([_select(node, env, outer, depth)], node)
    if isinstance(node, exp.Table):
        return Query([_select(exp.select("*").from_(node.copy()), env, outer, depth)], node)
    raise ValueError(f"a {node.key} is no query")


def inner_query(select: Select, node: exp.Expr) -> Query | None:
    """The query of a subquery in an expression of `select`, read once; None where it is none or nests too deeply."""
    key = ("query", id(node))
    if key not in select.memo:
        try:
            select.memo[key] = query_of(node, select.env, select)
        except ValueError:
            select.memo[key] = None
    found: Query | None = select.memo[key]
    return found


def _env(node: exp.Expr, env: Env | None) -> Env:
    with_ = node.args.get("with_")
    if with_ is None:
        return env or Env({})
    return Env({cte.alias.lower(): cte for cte in with_.expressions}, env)


def _union(node: exp.SetOperation, env: Env, outer: Select | None, depth: int) -> Query:
    """Unions lean left, hundreds deep at times: walked in a loop."""
    steps: list[exp.SetOperation] = []
    left: exp.Expr = node
    while isinstance(left, exp.SetOperation):
        steps.append(left)
        left = left.this
        env = _env(left, env)
    found = query_of(left, env, outer, depth + 1)
    query = Query(list(found.arms), node, list(found.removed), list(found.met))
    for step in reversed(steps):
        right = query_of(step.expression, env, outer, depth + 1)
        if isinstance(step, exp.Union):
            query.arms += right.arms
            query.distinct = bool(step.args.get("distinct"))
        elif isinstance(step, exp.Except):
            query.removed.append(right)
        else:
            query.met.append(right)
    return query


def _select(node: exp.Select, env: Env, outer: Select | None, depth: int) -> Select:
    select = Select(
        node,
        [],
        [],
        conjuncts(_clause(node, "where")),
        conjuncts(_clause(node, "qualify")),
        conjuncts(_clause(node, "having")),
        env,
        outer,
    )
    from_ = node.args.get("from_")
    if from_ is not None:
        _add(select, from_.this, Role.FROM, None, depth)
    for join in node.args.get("joins") or ():
        _add(select, join.this, _role(join), join, depth)
    for lateral in node.args.get("laterals") or ():
        _add(select, lateral, Role.CROSS, None, depth)
    for name, value in _outputs(node):
        select.outputs.append((name, value))
        select.named.setdefault(name, value)
    return select


def _clause(node: exp.Select, name: str) -> exp.Expr | None:
    clause = node.args.get(name)
    return clause.this if clause is not None else None


def _outputs(node: exp.Select) -> Iterator[tuple[str, exp.Expr]]:
    for item in node.expressions:
        if item.is_star:
            yield "*", item
        elif isinstance(item, exp.Alias):
            yield item.alias.lower(), item.this
        elif isinstance(item, exp.Aliases):
            yield from ((name.name.lower(), item.this) for name in item.args["expressions"])
        else:
            yield (item.alias_or_name or item.output_name).lower(), item


def _role(join: exp.Join) -> Role:
    side, kind = (join.side or "").upper(), (join.kind or "").upper()
    if kind in ("SEMI", "ANTI"):
        return Role[kind]
    if side in ("LEFT", "RIGHT", "FULL"):
        return Role[side]
    constrained = join.args.get("on") is not None or join.args.get("using")
    return Role.INNER if constrained or kind == "INNER" or join.method else Role.CROSS


def _add(select: Select, node: exp.Expr, role: Role, join: exp.Join | None, depth: int) -> None:
    on = conjuncts(join.args.get("on")) if join is not None else []
    using = tuple(i.name.lower() for i in (join.args.get("using") or ())) if join is not None else ()
    body = _body(select, node, depth)
    alias = (node.alias_or_name or "").lower()
    columns = (node.args.get("alias") or exp.TableAlias()).args.get("columns") or ()
    entry = Input(alias, body, role, on, using, role in (Role.LEFT, Role.FULL))
    entry.renamed = tuple(c.name.lower() for c in columns if isinstance(c, exp.Identifier))
    if isinstance(node, exp.Lateral) and node.args.get("outer"):
        entry.padded = True
    if role in (Role.RIGHT, Role.FULL):
        for earlier in select.inputs:
            earlier.padded = True
    select.inputs.append(entry)
    select.by_alias.setdefault(alias, entry)
    for inner in node.args.get("joins") or ():
        if isinstance(node, (exp.Table, exp.Subquery, exp.Paren)):
            _add(select, inner.this, _role(inner), inner, depth)


def _body(select: Select, node: exp.Expr, depth: int) -> Table | Generated | Query:
    if isinstance(node, exp.Table):
        return _table(select, node, depth)
    if isinstance(node, (exp.Subquery, exp.Paren)):
        if isinstance(node.this, (exp.Query, exp.Subquery, exp.Paren)):
            return query_of(node.this, _env(node, select.env), select.outer, depth + 1)
        return _body(select, node.this, depth + 1)
    if isinstance(node, exp.Lateral) and isinstance(node.this, exp.Subquery):
        return query_of(node.this, select.env, select, depth + 1)
    return Generated(node, tied=any(_columns(node)))


def _table(select: Select, node: exp.Table, depth: int) -> Table | Generated | Query:
    if not isinstance(node.this, exp.Identifier):
        return Generated(node, tied=any(_columns(node)))
    parts = [part.name.lower() for part in node.parts]
    if len(parts) == 1:
        query, is_cte = select.env.lookup(parts[0], depth)
        if query is not None:
            return query
        if is_cte:
            return Table(f"<recursive>.{parts[0]}", node)
    return Table(".".join(parts), node)


def _columns(node: exp.Expr) -> Iterator[exp.Column]:
    return node.find_all(exp.Column)
