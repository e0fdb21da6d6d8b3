"""Where the engine's time goes inside an operation: each statement of a script run and timed by itself."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dbt.adapters.duckdb.environments.local import DuckDBCursorWrapper

KINDS = {
    "the model's own SQL": r"(insert into|create or replace temporary table) \S*backfill_safety_stage_",
    "backup": r"insert into \S*backfill_safety_backup_|create table \S*backfill_safety_backup_",
    "ledger": r"(insert into|update|delete from|create table if not exists) \S*backfill_safety_",
    "proof": r"select 'before'|select unit_no",
    "delete": r"delete from",
    "insert": r"insert into",
    "begin and commit": r"begin|commit",
}


class Shares:
    """Processor seconds of the engine by kind of statement, once installed."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    def install(self) -> None:
        """Split every script that dbt sends, and time its statements."""
        shares = self

        def execute(cursor: Any, sql: str, bindings: Any = None) -> Any:
            inner = cursor._cursor
            for statement in inner.extract_statements(sql):
                cursor.kind = kind_of(statement.query)
                with shares.adding_to(cursor.kind):
                    inner.execute(statement, bindings)
            return cursor

        def fetchall(cursor: Any) -> Any:
            with shares.adding_to(cursor.kind):  # DuckDB computes a query while its rows are fetched
                return cursor._cursor.fetchall()

        DuckDBCursorWrapper.execute = execute  # type: ignore[method-assign]
        DuckDBCursorWrapper.fetchall = fetchall  # type: ignore[attr-defined]

    @contextmanager
    def adding_to(self, kind: str) -> Iterator[None]:
        """Count what happens inside as this kind."""
        began = time.process_time()
        try:
            yield
        finally:
            self.seconds[kind] += time.process_time() - began


def kind_of(sql: str) -> str:
    """The first kind whose pattern begins the statement; everything else belongs to planning."""
    bare = re.sub(r"^\s*(/\*.*?\*/|--[^\n]*\n|\s)*", "", sql, flags=re.S).replace('"', "")
    return next((kind for kind, pattern in KINDS.items() if re.match(pattern, bare)), "plan")
