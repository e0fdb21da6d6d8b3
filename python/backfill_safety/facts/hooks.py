"""What the hooks write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import sqlglot
from msgspec.structs import replace
from sqlglot import exp
from sqlglot.errors import SqlglotError

from backfill_safety.render import Hook

from .blocks import holds_extreme, statements_inside
from .bounds import bounds_of
from .functions import is_clock
from .logic import conjuncts
from .names import says_time
from .shape import query_of
from .types import Bound, HookWrite, Verb
from .values import Values

_WRITES = re.compile(
    r"\b(insert|update|merge|delete|truncate|drop|create|replace|lock|tablockx|alter|call)\b", re.IGNORECASE
)
_CHANGES = re.compile(r"\s*(insert|update|merge|delete|truncate)\b", re.IGNORECASE)
_LOCK = re.compile(
    r"^\s*lock\s+(?:tables?\s+)?(?:only\s+)?([\w.\"`\[\]]+)(?!.*\b(?:in\s+(?:access\s+share|row\s+share|share)\s+mode|read\b))",
    re.IGNORECASE | re.DOTALL,
)
_HINT = re.compile(r"from\s+([\w.\"`\[\]]+)\s+(?:as\s+\w+\s+)?with\s*\([^)]*\btablockx\b", re.IGNORECASE)
_CALL = re.compile(r"^\s*call\s+([\w.\"`\[\]]+)", re.IGNORECASE)
_REPLACE = re.compile(r"^(\s*)replace\b", re.IGNORECASE)
_TRUNCATE = re.compile(r"^\s*truncate\s+(?:table\s+)?(?:if\s+exists\s+)?([\w.\"`\[\]]+)", re.IGNORECASE)
_EXTREME = re.compile(r"\b(?:max|min)\s*\(", re.IGNORECASE)
_DELETED = "the_deleted"
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)


class HookReader:
    """Reads hooks of one model. this: the target's key. relations: relation key → unique id of the node."""

    def __init__(self, this: str, relations: Mapping[str, str], dialect: str, names: Iterable[str]) -> None:
        self.this, self.relations, self.dialect = this, relations, dialect
        self.names = tuple(name.lower() for name in names if name)

    def of(self, where: str, hooks: Iterable[Hook]) -> list[HookWrite]:
        """The statements of some hooks that write or lock; those that only read, grant or tune are left out."""
        found = []
        for hook in hooks:
            if hook.sql is None or not _WRITES.search(hook.sql):
                continue
            kept = holds_extreme(hook.sql)
            for statement in self._statements(hook.sql):
                write = self._write(where, statement, hook)
                if write is not None:
                    found.append(replace(write, extreme=write.extreme or (kept and write.progress)))
        return found

    def _statements(self, sql: str) -> list[exp.Expr | str]:
        text = _COMMENT.sub(" ", sql).strip()
        inside = statements_inside(text)
        if inside:
            return [found for part in inside for found in self._parsed(part)]
        return [
            found
            for statement in self._parsed(text)
            for found in (
                self._opened(statement) if isinstance(statement, (str, exp.Command)) else [statement]
            )
        ]

    def _opened(self, statement: exp.Expr | str) -> list[exp.Expr | str]:
        """A statement that does not parse, or what it holds where it is a script: `execute immediate '…'` behind others."""
        text = statement if isinstance(statement, str) else statement.sql(dialect=self.dialect)
        return [found for part in statements_inside(text) for found in self._parsed(part)] or [statement]

    def _parsed(self, text: str) -> list[exp.Expr | str]:
        if _LOCK.match(text) or _TRUNCATE.match(text) or _HINT.search(text):
            return [part.strip() for part in text.split(";") if part.strip()]
        try:
            text = _REPLACE.sub(r"\1insert", text)  # MySQL's: sqlglot knows it by no name
            return [tree for tree in sqlglot.parse(text, dialect=self.dialect) if tree is not None]
        except (SqlglotError, RecursionError):
            return [part.strip() for part in text.split(";") if part.strip()]

    def _write(self, where: str, tree: exp.Expr | str, hook: Hook) -> HookWrite | None:
        if isinstance(tree, (str, exp.Command)):
            return self._by_text(where, tree if isinstance(tree, str) else tree.sql(dialect=self.dialect))
        verb, table = _verb(tree)
        if verb is None or table is None:
            return None
        text = " ".join(tree.sql(dialect=self.dialect, comments=False).split())
        partition = verb is Verb.DELETE and not isinstance(tree, exp.Delete)
        if isinstance(tree, exp.Alter) and isinstance(tree.args["actions"][0], exp.Delete):
            tree = tree.args["actions"][0]
            partition = False
        key = _key(table)
        written, chosen = list(_written(tree)), tree.args.get("where")
        return HookWrite(
            where=where,
            verb=verb,
            table=key,
            target=self._own(key),
            model=self.relations.get(key, ""),
            predicate=partition or _chooses(chosen),
            partition=partition,
            bounds=self._bounds(chosen) if verb is Verb.DELETE and self._own(key) and chosen else (),
            extreme=any(value.find(exp.Max, exp.Min) is not None for value in written),
            clock=any(is_clock(node) for value in written for node in value.walk())
            or any(mark.kind == "clock" for mark in hook.marks),
            identity=any(name in text.lower() for name in self.names),
            progress=any(says_time(column) or _says_progress(column) for column in _columns(tree)),
            columns=_named(tree if partition else chosen),
            clocked=chosen is not None and any(is_clock(node) for node in chosen.walk()),
            text=text[:160],
        )

    def _bounds(self, chosen: exp.Expr) -> tuple[Bound, ...]:
        """The bounds of a delete's predicate, read like those of a query."""
        tree = exp.select("1").from_(_DELETED).where(chosen.this.copy())
        select, values = query_of(tree, None).arms[0], Values("", (), self.dialect)
        return tuple(b for part in conjuncts(chosen.this) for b in bounds_of(values, select, part))

    def _own(self, key: str) -> bool:
        """Whether it is the model's own table, also as `schema.name`."""
        return key == self.this or ("." in key and self.this.endswith("." + key))

    def _by_text(self, where: str, text: str) -> HookWrite | None:
        """What sqlglot keeps as a bare command: locks, and truncates of some dialects."""
        for pattern, verb in ((_LOCK, Verb.LOCK), (_HINT, Verb.LOCK), (_TRUNCATE, Verb.TRUNCATE)):
            found = pattern.search(text)
            if found:
                key = _plain(found[1])
                return HookWrite(
                    where=where,
                    verb=verb,
                    table=key,
                    target=self._own(key),
                    model=self.relations.get(key, ""),
                    text=" ".join(text.split())[:160],
                )
        called = _CALL.match(text)
        if called:
            return HookWrite(
                where=where,
                verb=Verb.CALL,
                table=_plain(called[1]),
                extreme=bool(_EXTREME.search(text)),
                text=" ".join(text.split())[:160],
            )
        if _CHANGES.match(text):
            return HookWrite(where=where, verb=Verb.UNKNOWN, table="", text=" ".join(text.split())[:160])
        return None


def _named(node: exp.Expr | None) -> tuple[str, ...]:
    return tuple(c.name.lower() for c in node.find_all(exp.Column)) if node is not None else ()


def _chooses(where: exp.Expr | None) -> bool:
    """Whether a WHERE leaves any row out as far as can be seen: `where true` and `where 1 = 1` do not."""
    if where is None:
        return False
    condition = where.this.unnest()
    if isinstance(condition, exp.Boolean):
        return not condition.this
    if isinstance(condition, exp.EQ) and isinstance(condition.this, exp.Literal):
        return bool(condition.this != condition.expression)
    return not (condition.is_number and condition.this != "0")


_PROGRESS = re.compile(
    r"watermark|cursor|checkpoint|last_|_to$|until|offset|progress|high|bookmark|value|state"
)


def _says_progress(column: str) -> bool:
    return bool(_PROGRESS.search(column))


def _verb(tree: exp.Expr) -> tuple[Verb | None, exp.Expr | None]:
    if isinstance(tree, exp.Insert):
        target = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
        return (Verb.REPLACE if tree.args.get("overwrite") else Verb.INSERT), target
    if isinstance(tree, exp.Update):
        return Verb.UPDATE, tree.this
    if isinstance(tree, exp.Merge):
        return Verb.MERGE, tree.this
    if isinstance(tree, exp.Delete):
        return Verb.DELETE, tree.this
    if isinstance(tree, exp.TruncateTable) and tree.args.get("partition") is not None:
        return Verb.DELETE, tree.expressions[0]
    if isinstance(tree, exp.Alter):
        return _altered(tree), tree.this
    if isinstance(tree, exp.TruncateTable):
        return Verb.TRUNCATE, tree.expressions[0] if tree.expressions else None
    if isinstance(tree, exp.Drop):
        dropped = tree.this or next(iter(tree.args.get("tables") or ()), None)
        return (Verb.DROP if str(tree.args.get("kind") or "TABLE").upper() == "TABLE" else None), dropped
    if isinstance(tree, exp.Create):
        target = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
        kind = str(tree.args.get("kind") or "").upper()
        if kind != "TABLE":
            return None, None
        return (Verb.REPLACE if tree.args.get("replace") else Verb.CREATE), target
    return None, None


def _altered(tree: exp.Alter) -> Verb | None:
    """Changes of the rows of a table: by a mutation of ClickHouse, by a partition that goes, by another table in its place."""
    action = next(iter(tree.args.get("actions") or ()), None)
    if isinstance(action, (exp.Delete, exp.DropPartition)):
        return Verb.DELETE
    return Verb.REPLACE if isinstance(action, (exp.SwapTable, exp.AlterRename)) else None


def _written(tree: exp.Expr) -> Iterable[exp.Expr]:
    """The values that a statement puts into the table."""
    if isinstance(tree, exp.Update):
        yield from (e.expression for e in tree.expressions if isinstance(e, exp.EQ))
    elif isinstance(tree, exp.Insert):
        if tree.expression is not None:
            yield tree.expression
    elif isinstance(tree, exp.Merge):
        if tree.args.get("using") is not None:
            yield tree.args["using"]
        whens = tree.args.get("whens")
        yield from whens.expressions if whens is not None else ()


def _columns(tree: exp.Expr) -> Iterable[str]:
    """The columns that a statement sets, where it names them."""
    if isinstance(tree, exp.Update):
        yield from (e.this.name.lower() for e in tree.expressions if isinstance(e, exp.EQ))
    elif isinstance(tree, exp.Insert) and isinstance(tree.this, exp.Schema):
        yield from (e.name.lower() for e in tree.this.expressions)
    elif isinstance(tree, exp.Merge):
        yield from (e.this.name.lower() for e in tree.find_all(exp.EQ) if isinstance(e.this, exp.Column))


def _key(table: exp.Expr) -> str:
    if isinstance(table, exp.Table):
        return ".".join(part.name.lower() for part in table.parts)
    return _plain(table.sql())


def _plain(name: str) -> str:
    return re.sub(r"[\"`\[\]]", "", name).lower()
