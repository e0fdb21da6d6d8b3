"""The test project on Spark: the client of spark_server, and the tables of the shop."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Any

from shop import PACKAGE, Ended

HERE = Path(__file__).parent

# model → the columns it is partitioned by
MODELS = {
    "fct_daily": "order_date",
    "fct_append": "ds",
    "fct_range": "part",
    "fct_country": "country",
    "fct_month": "month",
    "fct_nested": "order_date, country",
    "fct_whole": "",
}
LEDGER = ("runs", "units", "leases")


class Shop:
    """A warehouse in a folder, and the Spark and the dbt that work on it."""

    def __init__(self, folder: Path, is_kept: bool = False) -> None:
        self.folder = folder
        self.is_kept = is_kept
        project = folder / "project"
        if not project.exists():
            shutil.copytree(HERE / "project", project)
            (project / "dbt_packages").mkdir()
            (project / "dbt_packages" / "backfill_safety").symlink_to(PACKAGE)
        command = [sys.executable, str(HERE / "spark_server.py"), str(project), str(folder)]
        with (folder / "spark.log").open("a") as log:
            self._process = subprocess.Popen(
                [*command, "kept" if is_kept else "gone"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "DBT_PROFILES_DIR": str(project), "TZ": "UTC"},
                start_new_session=True,
            )

    def __enter__(self) -> Shop:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def begin(self, job: dict[str, Any]) -> None:
        """Send a job, without waiting for its end."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        """What the job came to."""
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the Spark server died: " + (self.folder / "spark.log").read_text()[-3000:])
        found: dict[str, Any] = json.loads(line)
        return found

    def kill(self) -> None:
        """SIGKILL to Python and to Java."""
        os.killpg(self._process.pid, signal.SIGKILL)

    def sql(self, text: str) -> list[list[Any]]:
        """Run SQL; returns the rows of the last statement."""
        self.begin({"sql": text})
        answer = self.answer()
        assert "error" not in answer, answer["error"]
        rows: list[list[Any]] = answer["rows"]
        return rows

    def run(self, *arguments: str, **faults: Any) -> Ended:
        """A dbt command; after so many `writes` it ends as if killed, and `others` change a text of its statements."""
        output = self.folder / "printed.txt"
        self.begin({"arguments": list(arguments), "output": str(output), **faults})
        return Ended(self.answer()["status"], output.read_text(encoding="utf-8"))

    def operation(
        self, name: str, /, writes: int | None = None, others: Any = None, **arguments: Any
    ) -> Ended:
        """`dbt run-operation NAME --args …`."""
        return self.run("run-operation", name, "--args", json.dumps(arguments), writes=writes, others=others)

    def backfill(
        self, model: str, /, writes: int | None = None, others: Any = None, **arguments: Any
    ) -> Ended:
        """`dbt run-operation safe_backfill --args '{model: …}'`, its schedule paused."""
        return self.operation(
            "safe_backfill", writes=writes, others=others, model=model, **{"live": "paused", **arguments}
        )

    def rows(self, model: str, where: str = "true", schema: str = "marts") -> Counter[tuple[Any, ...]]:
        """The rows of a table, each with how often it is there."""
        return Counter(tuple(row) for row in self.sql(f"select * from {schema}.{model} where {where}"))

    def files(self, model: str) -> dict[str, tuple[int, int]]:
        """Each file of a table, by its path: size and time of writing."""
        folder = self.folder / "warehouse" / "marts.db" / model
        return {
            str(file.relative_to(folder)): (file.stat().st_size, file.stat().st_mtime_ns)
            for file in folder.rglob("*.parquet")
        }

    def units(self, run_id: str) -> list[str]:
        """The states of a run's units, in order."""
        text = f"select state from marts.backfill_safety_units where run_id = '{run_id}' order by unit_no"
        return [row[0] for row in self.sql(text)]

    def expire_leases(self) -> None:
        """As if a quarter of an hour had passed: nobody can tell sooner that a run was killed."""
        if self.sql("show tables in marts like 'backfill_safety_leases'"):
            self.sql(
                "insert into marts.backfill_safety_leases_log "
                "select relation, holder, taken_at, taken_at, seq + 1 from marts.backfill_safety_leases"
            )

    def build(self, *models: str) -> None:
        """`used` holds the tables as months of use leave them, `want` what a full refresh then makes of them."""
        self.sql((HERE / "project" / "data.sql").read_text())
        selected = ["--select", "stg_events", *models]
        assert (ended := self.run("run", *selected)).status == 0, ended.printed
        self._keep("used", models)
        self.sql((HERE / "project" / "late.sql").read_text())
        assert (ended := self.run("run", "--full-refresh", *selected)).status == 0, ended.printed
        self._keep("want", models)

    def restore(self, *models: str) -> None:
        """The tables as they are used, and none of the package's."""
        statements = [f"drop view if exists marts.backfill_safety_{name}" for name in LEDGER]
        for _, table, _ in self.sql("show tables in marts like 'backfill_safety_*_*'"):
            statements.append(f"drop table if exists marts.{table}")
        for model in models:
            statements += [f"drop table if exists marts.{model}", self._copy_sql("used", "marts", model)]
        self.sql(";\n".join(statements))

    def _keep(self, schema: str, models: tuple[str, ...]) -> None:
        self.sql(";\n".join(self._copy_sql("marts", schema, model) for model in models))

    @staticmethod
    def _copy_sql(source: str, target: str, model: str) -> str:
        parts = f"partitioned by ({MODELS[model]})" if MODELS[model] else ""
        return f"create table {target}.{model} using parquet {parts} as select * from {source}.{model}"
