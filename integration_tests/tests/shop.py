"""A database of the test project in a folder of its own, and the dbt that works on it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import duckdb

HERE = Path(__file__).parent
PROJECT = HERE.parent
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
        database: Path,
        faults: dict[str, Any] | None = None,
        fresh: bool = False,
        project: Path | None = None,
    ) -> Ended:
        """Run a command on a database file; fresh parses the project anew, as an edited project needs."""
        if self._server is None:
            self._server = subprocess.Popen(
                [sys.executable, str(HERE / "dbt_server.py")],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        output = database.parent / "printed.txt"
        job = {
            "project": str(project or self.project),
            "arguments": ["--quiet", *arguments],
            "environment": {"SHOP_DATABASE": str(database), "DBT_PROFILES_DIR": str(project or self.project)},
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


@dataclass
class Shop:
    """One copy of the database. Every connection is closed at once: dbt needs the file for itself."""

    folder: Path
    dbt: Dbt
    project: Path | None = None
    vars: dict[str, Any] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        """The database file."""
        return self.folder / "shop.duckdb"

    def copy(self, folder: Path) -> Shop:
        """The same database in another folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for source in self.folder.glob("shop.duckdb*"):
            shutil.copy(source, folder / source.name)
        return Shop(folder, self.dbt, self.project, dict(self.vars))

    def sql(self, text: str, writes: bool = True) -> list[tuple[Any, ...]]:
        """Run SQL, its time zone UTC; returns the rows of the last statement."""
        with duckdb.connect(str(self.file), read_only=not writes) as connection:
            connection.execute("set timezone = 'UTC'")
            cursor = connection.execute(text)
            return cursor.fetchall() if cursor.description else []

    def value(self, text: str) -> Any:
        """The one value that a query gives."""
        return self.sql(text)[0][0]

    def run(self, *arguments: str, faults: dict[str, Any] | None = None, fresh: bool = False) -> Ended:
        """A dbt command on this database."""
        more = ["--vars", json.dumps(self.vars)] if self.vars else []
        return self.dbt(
            *arguments, *more, database=self.file, faults=faults, fresh=fresh, project=self.project
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
        """Name of each unit → its state, of one run or of the only one."""
        where = f"where run_id = '{run_id}'" if run_id else ""
        return dict(self.sql(f"select name, state from marts.backfill_safety_units {where} order by unit_no"))

    def runs(self, schema: str = "marts") -> list[tuple[str, list[str]]]:
        """The state of each run and of its units, oldest first; empty where nothing ever ran."""
        ledger = (
            f"table_name in ('backfill_safety_runs', 'backfill_safety_units') and schema_name = '{schema}'"
        )
        if self.value(f"select count(*) from duckdb_tables() where {ledger}") < 2:
            return []
        return self.sql(f"""
            select any_value(r.state), list(u.state order by unit_no)
            from {schema}.backfill_safety_runs as r join {schema}.backfill_safety_units as u using (run_id)
            group by run_id order by min(r.started_at)
        """)

    def differing_rows(self, other: Shop, relation: str, where: str = "true", columns: str = "*") -> int:
        """How many rows the two databases do not share, repeated rows counted."""
        with duckdb.connect() as connection:
            connection.execute(
                f"attach '{self.file}' as mine (read_only); attach '{other.file}' as theirs (read_only)"
            )
            connection.execute("set timezone = 'UTC'")
            mine, theirs = (
                f"select {columns} from {side}.{relation} where {where}" for side in ("mine", "theirs")
            )
            row = connection.execute(
                f"select (select count(*) from ({mine} except all {theirs})) + (select count(*) from ({theirs} except all {mine}))"
            ).fetchone()
        assert row
        count: int = row[0]
        return count

    def checksums(self) -> dict[str, tuple[int, str]]:
        """Every table of the database: its rows and a checksum of them, and its columns."""
        found = {}
        with duckdb.connect(str(self.file), read_only=True) as connection:
            tables = connection.execute(
                """select schema_name || '."' || replace(table_name, '"', '""') || '"' from duckdb_tables() where not internal order by 1"""
            ).fetchall()
            for (table,) in tables:
                row = connection.execute(
                    f"select count(*), cast(sum(hash(t)) as varchar) from {table} as t"
                ).fetchone()
                shape = connection.execute(f"describe {table}").fetchall()
                assert row
                found[table] = (row[0], f"{row[1]} {[column[:2] for column in shape]}")
        return found
