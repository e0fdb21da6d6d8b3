"""Runs dbt commands, each in a process of its own, forked from a server that has imported dbt already.

Importing dbt costs seconds, a fork milliseconds. A forked command still has its own process id, memory and
connection to DuckDB: killing it is as hard as killing any other dbt.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path

PROJECT = Path(__file__).parent
WORK = PROJECT / ".work"
CURRENT = WORK / "current"

# A killed dbt leaves locks behind, which Python cleans up after it: no need to say so.
os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker")

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["dbt.cli.main", "dbt.adapters.duckdb", "dbt.task.run"])


class DbtError(RuntimeError):
    """A dbt command that should have passed did not; the message holds what it printed."""


def _invoke(arguments: list[str], environment: dict[str, str], output: Connection) -> None:
    os.dup2(output.fileno(), 1)
    os.dup2(output.fileno(), 2)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    os.chdir(PROJECT)
    os.environ.update(environment)
    from dbt.cli.main import dbtRunner

    result = dbtRunner().invoke(arguments)
    if result.exception:
        print(result.exception)
    sys.exit(0 if result.success else 1)


def _make_current(database: Path) -> None:
    """Let the profile's path lead to a database: a profile that changed would cost dbt a parse each time."""
    CURRENT.unlink(missing_ok=True)
    CURRENT.symlink_to(database.parent, target_is_directory=True)


@contextmanager
def _started(
    arguments: list[str], database: Path, models: str
) -> Iterator[tuple[ForkServerProcess, Iterator[str]]]:
    environment = {
        "DEMO_MODELS": models,
        "DBT_LOG_PATH": str(WORK / "logs"),
        "DBT_TARGET_PATH": str(WORK / "target"),
        "DBT_USE_COLORS": "false",
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
    }
    _make_current(database)
    read_end, write_end = _context.Pipe(duplex=False)
    process = _context.Process(target=_invoke, args=(["--quiet", *arguments], environment, write_end))
    process.start()
    write_end.close()
    with os.fdopen(os.dup(read_end.fileno()), encoding="utf-8") as lines:
        yield process, (line.rstrip("\n") for line in lines)
        process.join()
    read_end.close()


def dbt(*arguments: str, database: Path, models: str = "models") -> list[str]:
    """Run a dbt command and return the lines that it printed; raises DbtError when it exits non-zero."""
    with _started(list(arguments), database, models) as (process, lines):
        printed = list(lines)
    if process.exitcode != 0:
        raise DbtError("\n".join([f"dbt {' '.join(arguments)} exited with {process.exitcode}", *printed]))
    return printed


def dbt_killed(*arguments: str, database: Path, at: str) -> list[str]:
    """Run a dbt command and kill it with SIGKILL when it prints a line that holds `at`."""
    printed: list[str] = []
    with _started(list(arguments), database, "models") as (process, lines):
        for line in lines:
            printed.append(line)
            if at in line and process.pid:
                os.kill(process.pid, signal.SIGKILL)
                break
    if process.exitcode != -signal.SIGKILL:
        raise DbtError(
            "\n".join([f"the run ended before it could be killed, with {process.exitcode}", *printed])
        )
    return printed
