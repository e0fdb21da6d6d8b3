"""From SQL text to the tree of one query."""

from __future__ import annotations

import logging

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

logging.getLogger("sqlglot").setLevel(logging.ERROR)  # what it cannot parse is reported as a finding

MAX_SQL = 2_000_000
"""Characters; longer SQL is not read."""


class UnreadableError(ValueError):
    """The SQL cannot be read; the text says why. line: in the rendered SQL, 0 when not known."""

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.line = line


def parse(sql: str, dialect: str) -> exp.Expr:
    """The tree of a model's single query.

    Raises:
        UnreadableError: it does not parse, is empty, or is no query.
    """
    if len(sql) > MAX_SQL:
        raise UnreadableError(
            f"the rendered SQL is {len(sql):,} characters long; at most {MAX_SQL:,} are read"
        )
    try:
        trees = [tree for tree in sqlglot.parse(sql, dialect=dialect) if tree is not None]
    except SqlglotError as error:
        first = getattr(error, "errors", [{}])[0] if getattr(error, "errors", None) else {}
        what = str(first.get("description") or error).splitlines()[0]
        raise UnreadableError(
            f"the SQL does not parse as {dialect or 'SQL'}: {what}", int(first.get("line") or 0)
        ) from error
    except RecursionError as error:
        raise UnreadableError("the SQL nests too deeply to be read") from error
    queries = [tree for tree in trees if isinstance(tree, (exp.Query, exp.Subquery, exp.Paren))]
    if not queries:
        raise UnreadableError("the SQL holds no query" if trees else "the model renders to nothing")
    return queries[-1]
