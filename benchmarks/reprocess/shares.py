"""Where the engine's time goes inside an operation: each statement of a script run and timed by itself."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from typing import Any

from dbt.adapters.duckdb.environments.local import DuckDBCursorWrapper

KINDS = {
    "backup": r"insert into \S*backfill_safety_backup_|create table \S*backfill_safety_backup_",
    "ledger": r"(insert into|update|delete from|create table if not exists) \S*backfill_safety_",
    "proof": r"select 'before'|select unit_no",
    "delete": r"delete from",
    "insert": r"insert into",
    "begin and commit": r"begin|commit",
}


class Shares:
    """Engine seconds by kind of statement, once installed."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    def install(self) -> None:
        """Split every script that dbt sends, and time its statements."""
        shares = self

        def execute(cursor: Any, sql: str, bindings: Any = None) -> Any:
            inner = cursor._cursor
            for statement in inner.extract_statements(sql):
                began = time.perf_counter()
                inner.execute(statement, bindings)
                shares.seconds[kind_of(statement.query)] += time.perf_counter() - began
            return cursor

        DuckDBCursorWrapper.execute = execute  # type: ignore[method-assign]


def kind_of(sql: str) -> str:
    """The first kind whose pattern begins the statement; everything else belongs to planning."""
    bare = re.sub(r"^\s*(/\*.*?\*/|--[^\n]*\n|\s)*", "", sql, flags=re.S).replace('"', "")
    return next((kind for kind, pattern in KINDS.items() if re.match(pattern, bare)), "plan")
