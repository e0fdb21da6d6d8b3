"""Kills a dbt process at a chosen statement. Installed in the process that shall die, before dbt begins.

A script is taken apart, so that a kill between the delete and the insert of one script is met as well.
"""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import duckdb
from dbt.adapters.duckdb.environments.local import DuckDBCursorWrapper

_WRITE = re.compile(r"(?is)(?:\s|/\*.*?\*/)*(?:create|insert|update|delete|alter|drop)\b")


def install(kill_at: int | None, log: str, only_writes: bool = False) -> None:
    """Count statements into the file `log`, a line each; die by SIGKILL at point `kill_at`.

    Point 2n is before the statement n, point 2n + 1 after it; None never dies. only_writes numbers the statements from the
    first that writes on: what comes before only reads.
    """
    seen = {"statements": 0, "began": not only_writes}
    records = Path(log).open("w", encoding="utf-8")  # noqa: SIM115 - open as long as the process lives

    def point(number: int) -> None:
        if number == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def execute(self: DuckDBCursorWrapper, sql: str, bindings: object = None) -> object:
        parts = [part.query for part in duckdb.extract_statements(sql)] if bindings is None else [sql]
        for part in parts:
            seen["began"] = seen["began"] or _WRITE.match(part) is not None
            if not seen["began"]:
                self._cursor.execute(part) if bindings is None else self._cursor.execute(part, bindings)
                continue
            number = seen["statements"]
            seen["statements"] += 1
            point(2 * number)
            self._cursor.execute(part) if bindings is None else self._cursor.execute(part, bindings)
            records.write(" ".join(part.split())[:120] + "\n")
            records.flush()
            point(2 * number + 1)
        return self._cursor

    DuckDBCursorWrapper.execute = execute
