"""The test project on Postgres: commands that run beside each other, and sessions that hold them where a test wants them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from shop import Ended

if TYPE_CHECKING:
    from postgres_server import Server

HERE = Path(__file__).parent
ROUNDS = int(os.environ.get("BACKFILL_SAFETY_ROUNDS", "10"))  # of what is random
PATIENCE = 120  # seconds; far more than anything takes


class Forks:
    """The client of dbt_forks."""

    def __init__(self, project: Path, port: int) -> None:
        environment = {**os.environ, "SHOP_PORT": str(port), "DBT_PROFILES_DIR": str(project)}
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "dbt_forks.py"), str(project)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def __enter__(self) -> Forks:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def ask(self, job: dict[str, Any]) -> dict[str, Any]:
        """Send one line and read one."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("the dbt server died; its last words are above")
        found: dict[str, Any] = json.loads(answer)
        return found


class Running:
    """A dbt command that was begun."""

    def __init__(self, forks: Forks, arguments: list[str], output: Path) -> None:
        self._forks = forks
        self._output = output
        self._status: int | None = None
        self.pid: int = forks.ask({"arguments": ["--quiet", *arguments], "output": str(output)})["pid"]

    @property
    def printed(self) -> str:
        """What it has printed up to now."""
        return self._output.read_text(encoding="utf-8") if self._output.exists() else ""

    def is_running(self) -> bool:
        """Whether it goes on."""
        if self._status is None:
            self._status = self._forks.ask({"pid": self.pid})["status"]
        return self._status is None

    def ended(self) -> Ended:
        """Wait for its end."""
        until(lambda: not self.is_running(), lambda: self.printed)
        assert self._status is not None
        return Ended(self._status, self.printed)

    def kill(self) -> None:
        """SIGKILL, unless it has ended."""
        if self.is_running():
            os.kill(self.pid, signal.SIGKILL)
        self.ended()


class Shop:
    """The database `shop` of a server, and the dbt that works on it."""

    def __init__(self, server: Server, forks: Forks, folder: Path) -> None:
        self.server = server
        self._forks = forks
        self._folder = folder
        self._begun: list[Running] = []

    def sql(self, text: str, database: str = "shop") -> list[tuple[Any, ...]]:
        """Run SQL in a session of its own; returns the rows of the last statement."""
        connection = self.server.connect(database)
        try:
            cursor = connection.cursor()
            cursor.execute(text)
            return cursor.fetchall() if cursor.description else []
        finally:
            connection.close()

    def value(self, text: str) -> Any:
        """The one value that a query gives."""
        return self.sql(text)[0][0]

    def begin(self, *arguments: str) -> Running:
        """Begin a dbt command."""
        running = Running(self._forks, list(arguments), self._folder / f"printed_{len(self._begun)}.txt")
        self._begun.append(running)
        return running

    def run(self, *arguments: str) -> Ended:
        """A dbt command from begin to end."""
        return self.begin(*arguments).ended()

    def begin_operation(self, name: str, /, *options: str, **arguments: Any) -> Running:
        """Begin `dbt run-operation NAME --args …`."""
        return self.begin("run-operation", name, "--args", json.dumps(arguments), *options)

    def operation(self, name: str, /, **arguments: Any) -> Ended:
        """`dbt run-operation NAME --args …`."""
        return self.begin_operation(name, **arguments).ended()

    def begin_backfill(self, model: str, /, **arguments: Any) -> Running:
        """Begin `dbt run-operation safe_backfill --args '{model: …}'`."""
        return self.begin_operation("safe_backfill", model=model, **arguments)

    def backfill(self, model: str, /, **arguments: Any) -> Ended:
        """`dbt run-operation safe_backfill --args '{model: …}'`."""
        return self.begin_backfill(model, **arguments).ended()

    def end_all(self) -> None:
        """Kill what a failed test has left running."""
        for running in self._begun:
            running.kill()

    @contextmanager
    def held(self, key: str) -> Iterator[None]:
        """Hold an advisory lock, given as an SQL expression, until the end of the block."""
        connection = self.server.connect("shop")
        try:
            connection.cursor().execute(f"select pg_advisory_lock({key})")
            yield
        finally:
            connection.close()

    @contextmanager
    def blocked(self, text: str) -> Iterator[None]:
        """A session that has done something and does not end its transaction before the end of the block."""
        connection = self.server.connect("shop")
        try:
            connection.autocommit = False
            connection.cursor().execute(text)
            yield
        finally:
            connection.close()

    def until_gone(self) -> None:
        """Wait until Postgres has noticed that no dbt is there any more: at the end of the statement under way."""
        sessions = "select count(*) from pg_stat_activity where datname = 'shop' and application_name = 'dbt'"
        until(lambda: self.value(sessions) == 0, lambda: self.sql("select query from pg_stat_activity"))

    def until_waiting(self, running: Running, kind: str) -> None:
        """Wait until a session waits for a lock of a kind (pg_locks.locktype), and the command has not ended."""

        def waits() -> bool:
            assert running.is_running(), running.printed
            return (
                self.value(f"select count(*) > 0 from pg_locks where not granted and locktype = '{kind}'")
                is True
            )

        until(waits, lambda: f"no session waits for a lock of kind {kind}: {running.printed}")

    def rows(self, table: str, where: str = "true", database: str = "shop") -> Counter[tuple[Any, ...]]:
        """The rows of a table of the marts, each with how often it is there."""
        return Counter(self.sql(f"select * from marts.{table} where {where}", database))

    def units(self, run_id: str) -> list[str]:
        """The states of a run's units, in order; an unchanged one is done."""
        state = "case state when 'unchanged' then 'done' else state end"
        text = f"select {state} from marts.backfill_safety_units where run_id = '{run_id}' order by unit_no"
        return [row[0] for row in self.sql(text)]


def turn_of(model: str) -> str:
    """The advisory lock of whoever may write to a model now."""
    return f"hashtextextended('backfill_safety shop.marts.{model}', 0)"


def until(condition: Any, words: Any) -> None:
    """Wait until a condition holds; fail with words after PATIENCE seconds."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < PATIENCE, words()
        time.sleep(0.03)
