"""A database of the test project, and the dbt that works on it; an engine says how it is copied, read and compared."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar

HERE = Path(__file__).parent
PROJECT = HERE.parent
# An unchanged unit is done: which of them are, hangs on the data.
STATE = "case u.state when 'unchanged' then 'done' else u.state end"
PACKAGE = Path(os.environ.get("BACKFILL_SAFETY_PACKAGE", PROJECT.parent))


@dataclass(frozen=True)
class Ended:
    """A dbt command that ended: its exit status (minus the signal that killed it) and what it printed."""

    status: int
    printed: str

    @property
    def error(self) -> str:
        """The message of the package's own refusal, one line; empty where there is none."""
        lines = [line.strip() for line in self.printed.splitlines()]
        found = [
            line.removeprefix("backfill_safety: ") for line in lines if line.startswith("backfill_safety: ")
        ]
        return found[0] if found else ""


class Dbt:
    """The client of a dbt server: runs commands of one project folder."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self._server: subprocess.Popen[str] | None = None

    def __enter__(self) -> Dbt:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server and self._server.stdin:
            self._server.stdin.close()
            self._server.wait()
            if self._server.stdout:
                self._server.stdout.close()

    def __call__(
        self,
        *arguments: str,
        output: Path,
        environment: dict[str, str],
        faults: dict[str, Any] | None = None,
        fresh: bool = False,
        project: Path | None = None,
    ) -> Ended:
        """Run a command that prints into a file; fresh parses the project anew, as an edited project needs."""
        if self._server is None:
            self._server = subprocess.Popen(
                [sys.executable, str(HERE / "dbt_server.py")],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        job = {
            "project": str(project or self.project),
            "arguments": ["--quiet", *arguments],
            "environment": {"DBT_PROFILES_DIR": str(project or self.project), **environment},
            "output": str(output),
            "faults": faults,
            "manifest": "parse" if fresh else "reuse",
        }
        assert self._server.stdin
        assert self._server.stdout
        self._server.stdin.write(json.dumps(job) + "\n")
        self._server.stdin.flush()
        answer = self._server.stdout.readline()
        if not answer:
            raise RuntimeError("the dbt server died; its last words are above")
        return Ended(json.loads(answer)["status"], output.read_text(encoding="utf-8"))


def own_project(dbt: Dbt, folder: Path) -> Path:
    """The project in a folder below this one, with what was parsed of it: a test may change it there."""
    return Path(shutil.copytree(dbt.project, folder / "project", symlinks=True))


@dataclass
class Shop(ABC):
    """One copy of the database; what dbt prints goes into its folder."""

    row_id: ClassVar[str]
    row_hash: ClassVar[str]

    folder: Path
    dbt: Dbt
    project: Path | None = None
    vars: dict[str, Any] = field(default_factory=dict)

    @property
    @abstractmethod
    def environment(self) -> dict[str, str]:
        """By what the profile finds this database."""

    @abstractmethod
    def copy(self, folder: Path) -> Shop:
        """The same database once more."""

    @abstractmethod
    def sql(self, text: str, writes: bool = True) -> list[tuple[Any, ...]]:
        """Run SQL, its time zone UTC; returns the rows of the last statement."""

    @abstractmethod
    def differing_rows(self, other: Shop, relation: str, where: str = "true", columns: str = "*") -> int:
        """How many rows the two databases do not share, repeated rows counted."""

    @abstractmethod
    def checksums(self) -> dict[str, tuple[int, str]]:
        """Every table of the database: its rows and a checksum of them, and its columns."""

    @abstractmethod
    def scans(self, query: str) -> list[tuple[int, int]]:
        """Run a query: (rows that it gave, rows that it looked at) for each scan of a table."""

    def value(self, text: str) -> Any:
        """The one value that a query gives."""
        return self.sql(text)[0][0]

    def run(self, *arguments: str, faults: dict[str, Any] | None = None, fresh: bool = False) -> Ended:
        """A dbt command on this database."""
        more = ["--vars", json.dumps(self.vars)] if self.vars else []
        return self.dbt(
            *arguments,
            *more,
            output=self.folder / "printed.txt",
            environment=self.environment,
            faults=faults,
            fresh=fresh,
            project=self.project,
        )

    def operation(
        self, name: str, /, faults: dict[str, Any] | None = None, fresh: bool = False, **arguments: Any
    ) -> Ended:
        """`dbt run-operation NAME --args …`."""
        return self.run(
            "run-operation", name, "--args", json.dumps(arguments, default=str), faults=faults, fresh=fresh
        )

    def backfill(
        self, model: str, /, faults: dict[str, Any] | None = None, fresh: bool = False, **arguments: Any
    ) -> Ended:
        """`dbt run-operation safe_backfill --args '{model: …}'`."""
        return self.operation("safe_backfill", faults=faults, fresh=fresh, model=model, **arguments)

    def plan(self, model: str, /, **arguments: Any) -> dict[str, Any]:
        """The plan as JSON; nothing is written."""
        ended = self.backfill(model, dry_run=True, format="json", **arguments)
        lines = [line for line in ended.printed.splitlines() if line.startswith("{")]
        assert lines, ended.printed
        plan: dict[str, Any] = json.loads(lines[0])
        return plan

    def units(self, run_id: str | None = None) -> dict[str, str]:
        """Name of each unit → its state, of one run or of the only one; an unchanged unit is done."""
        where = f"where run_id = '{run_id}'" if run_id else ""
        return dict(
            self.sql(f"select name, {STATE} from marts.backfill_safety_units as u {where} order by unit_no")
        )

    def runs(self, schema: str = "marts") -> list[tuple[str, list[str]]]:
        """The state of each run and of its units, oldest first, unchanged ones as done; empty where nothing ever ran."""
        if not {"backfill_safety_runs", "backfill_safety_units"} <= set(self.tables(schema)):
            return []
        return self.sql(f"""
            select min(r.state), array_agg({STATE} order by unit_no)
            from {schema}.backfill_safety_runs as r join {schema}.backfill_safety_units as u using (run_id)
            group by run_id order by min(r.started_at)
        """)

    def tables(self, schema: str = "marts") -> list[str]:
        """The tables of a schema."""
        found = f"select table_name from information_schema.tables where table_schema = '{schema}' order by 1"
        return [row[0] for row in self.sql(found)]

    def columns(self, relation: str, but: str = "") -> str:
        """The columns of a table by name, since two databases may hold them in another order."""
        schema, _, table = relation.replace('"', "").partition(".")
        rows = self.sql(
            f"select column_name from information_schema.columns where table_schema = '{schema}' and table_name = '{table}' order by 1",
            writes=False,
        )
        return ", ".join('"' + name.replace('"', '""') + '"' for (name,) in rows if name != but)
