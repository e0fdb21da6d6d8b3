"""What the hooks write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from backfill_safety.render import Hook

from .functions import is_clock
from .names import says_time
from .types import HookWrite, Verb

_WRITES = re.compile(
    r"\b(insert|update|merge|delete|truncate|drop|create|replace|lock|tablockx)\b", re.IGNORECASE
)
_CHANGES = re.compile(r"\s*(insert|update|merge|delete|truncate)\b", re.IGNORECASE)
_LOCK = re.compile(
    r"^\s*lock\s+(?:tables?\s+)?(?:only\s+)?([\w.\"`\[\]]+)(?!.*\b(?:in\s+(?:access\s+share|row\s+share|share)\s+mode|read\b))",
    re.IGNORECASE | re.DOTALL,
)
_HINT = re.compile(r"from\s+([\w.\"`\[\]]+)\s+(?:as\s+\w+\s+)?with\s*\([^)]*\btablockx\b", re.IGNORECASE)
_TRUNCATE = re.compile(r"^\s*truncate\s+(?:table\s+)?(?:if\s+exists\s+)?([\w.\"`\[\]]+)", re.IGNORECASE)
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
            for statement in self._statements(hook.sql):
                write = self._write(where, statement, hook)
                if write is not None:
                    found.append(write)
        return found

    def _statements(self, sql: str) -> list[exp.Expr | str]:
        text = _COMMENT.sub(" ", sql).strip()
        if _LOCK.match(text) or _TRUNCATE.match(text) or _HINT.search(text):
            return [part.strip() for part in text.split(";") if part.strip()]
        try:
            return [tree for tree in sqlglot.parse(sql, dialect=self.dialect) if tree is not None]
        except (SqlglotError, RecursionError):
            return [part.strip() for part in text.split(";") if part.strip()]

    def _write(self, where: str, tree: exp.Expr | str, hook: Hook) -> HookWrite | None:
        if isinstance(tree, (str, exp.Command)):
            return self._by_text(where, tree if isinstance(tree, str) else tree.sql(dialect=self.dialect))
        verb, table = _verb(tree)
        if verb is None or table is None:
            return None
        key = _key(table)
        text = " ".join(tree.sql(dialect=self.dialect, comments=False).split())
        written, chosen = list(_written(tree)), tree.args.get("where")
        return HookWrite(
            where=where,
            verb=verb,
            table=key,
            target=self._own(key),
            model=self.relations.get(key, ""),
            predicate=_chooses(chosen),
            extreme=any(value.find(exp.Max, exp.Min) is not None for value in written),
            clock=any(is_clock(node) for value in written for node in value.walk())
            or any(mark.kind == "clock" for mark in hook.marks),
            identity=any(name in text.lower() for name in self.names),
            progress=any(says_time(column) or _says_progress(column) for column in _columns(tree)),
            columns=tuple(c.name.lower() for c in chosen.find_all(exp.Column)) if chosen else (),
            clocked=chosen is not None and any(is_clock(node) for node in chosen.walk()),
            text=text[:160],
        )

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
        if _CHANGES.match(text):
            return HookWrite(where=where, verb=Verb.UNKNOWN, table="", text=" ".join(text.split())[:160])
        return None


def _chooses(where: exp.Expr | None) -> bool:
    """Whether a WHERE leaves any row out as far as can be seen: `where true` and `where 1 = 1` do not."""
    if where is None:
        return False
    condition = where.this.unnest()
    if isinstance(condition, exp.Boolean):
        return not condition.this
    if isinstance(condition, exp.EQ) and isinstance(condition.this, exp.Literal):
        return bool(condition.this != condition.expression)
    return True


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
