"""Kills a dbt process at a chosen statement. Installed in the process that shall die, before dbt begins.

What is sent to DuckDB is taken apart, so that a kill between the delete and the insert of one script is met as well. Postgres takes a
script as one statement: what it has not ended when the client dies, it takes back.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

_COMMENT = re.compile(r"(?s)/\*.*?\*/")  # dbt's own, in front
_WRITE = re.compile(r"(?i)\b(?:create|insert|update|delete|alter|drop)\b")


class Fate:
    """Counts statements into a file, a line each; dies by SIGKILL at a point.

    Point 2n is before the statement n, point 2n + 1 after it; None never dies. only_writes numbers the statements from the
    first that writes on: what comes before only reads.
    """

    def __init__(self, kill_at: int | None, log: str, only_writes: bool = False) -> None:
        self._kill_at = kill_at
        self._records = Path(log).open("w", encoding="utf-8")  # noqa: SIM115 - open as long as the process lives
        self._statements = 0
        self._began = not only_writes

    def meet(self, sql: str, send: Callable[[], None]) -> None:
        """Send a statement, and live to see its end or not."""
        text = " ".join(_COMMENT.sub("", sql).split())
        self._began = self._began or _WRITE.search(text) is not None
        if not self._began:
            send()
            return
        number = self._statements
        self._statements += 1
        self._point(2 * number)
        send()
        self._records.write(text + "\n")
        self._records.flush()
        self._point(2 * number + 1)

    def _point(self, number: int) -> None:
        if number == self._kill_at:
            os.kill(os.getpid(), signal.SIGKILL)


def install(engine: str, **given: Any) -> None:
    """Let everything that dbt sends to an engine meet its fate."""
    fate = Fate(**given)
    if engine == "postgres":
        _on_postgres(fate)
    else:
        _on_duckdb(fate)


def _on_duckdb(fate: Fate) -> None:
    import duckdb
    from dbt.adapters.duckdb.environments.local import DuckDBCursorWrapper

    def execute(self: DuckDBCursorWrapper, sql: str, bindings: object = None) -> object:
        if bindings is not None:
            fate.meet(sql, lambda: self._cursor.execute(sql, bindings))
            return self._cursor
        for statement in duckdb.extract_statements(sql):
            fate.meet(statement.query, lambda text=statement.query: self._cursor.execute(text))
        return self._cursor

    DuckDBCursorWrapper.execute = execute


def _on_postgres(fate: Fate) -> None:
    import psycopg2

    class Cursor(psycopg2.extensions.cursor):
        def execute(self, sql: str, bindings: object = None) -> None:
            fate.meet(sql, lambda: super(Cursor, self).execute(sql, bindings))

    connect = psycopg2.connect
    psycopg2.connect = lambda *arguments, **more: connect(*arguments, cursor_factory=Cursor, **more)
