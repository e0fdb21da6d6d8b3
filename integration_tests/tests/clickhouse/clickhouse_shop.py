"""The test project on ClickHouse: chDB behind its door, the dbt that works on it, and the tables of the shop."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Any

import clickhouse_connect
from shop import PACKAGE, Ended

HERE = Path(__file__).parent
MODELS = (
    "fct_month",
    "fct_day",
    "fct_date",
    "fct_country",
    "fct_nested",
    "fct_batch",
    "fct_range",
    "fct_whole",
    "fct_replacing",
)


class Shop:
    """A ClickHouse in a process of its own, and a dbt in another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._project = folder / "project"
        shutil.copytree(HERE / "project", self._project)
        (self._project / "dbt_packages").mkdir()
        (self._project / "dbt_packages" / "backfill_safety").symlink_to(PACKAGE)
        self._engine = self._begin("chdb_server.py")
        port = self._line(self._engine).strip()
        self._client = clickhouse_connect.get_client(host="127.0.0.1", port=int(port))
        self._dbt = self._begin("clickhouse_dbt.py", str(self._project), SHOP_PORT=port)

    def __enter__(self) -> Shop:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()
        for process in (self._dbt, self._engine):
            assert process.stdin
            assert process.stdout
            process.stdin.close()
            process.wait()
            process.stdout.close()

    def _begin(self, script: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, str(HERE / script), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "DBT_PROFILES_DIR": str(self._project), "TZ": "UTC", **environment},
        )

    @staticmethod
    def _line(process: subprocess.Popen[str]) -> str:
        assert process.stdout
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"{process.args} died; its last words are above")
        return line

    def sql(self, text: str) -> list[tuple[Any, ...]]:
        """Run SQL, a statement at a time; returns the rows of the last one."""
        rows: list[tuple[Any, ...]] = []
        for statement in [part for part in re.split(r";\s*(?:\n|$)", text) if part.strip()]:
            if re.match(r"(?i)\s*(select|with|show)\b", statement):
                rows = [tuple(row) for row in self._client.query(statement).result_rows]
            else:
                self._client.command(statement)
        return rows

    def value(self, text: str) -> Any:
        """The one value that a query gives."""
        return self.sql(text)[0][0]

    def run(self, *arguments: str, writes: int | None = None) -> Ended:
        """A dbt command; it is killed after so many statements that write."""
        output = self.folder / "printed.txt"
        job = {"arguments": ["--quiet", *arguments], "output": str(output), "writes": writes}
        assert self._dbt.stdin
        self._dbt.stdin.write(json.dumps(job) + "\n")
        self._dbt.stdin.flush()
        status = json.loads(self._line(self._dbt))["status"]
        return Ended(status, output.read_text(encoding="utf-8"))

    def operation(self, name: str, /, writes: int | None = None, **arguments: Any) -> Ended:
        """`dbt run-operation NAME --args …`."""
        return self.run("run-operation", name, "--args", json.dumps(arguments), writes=writes)

    def backfill(self, model: str, /, writes: int | None = None, **arguments: Any) -> Ended:
        """`dbt run-operation safe_backfill --args '{model: …}'`, its schedule paused."""
        return self.operation("safe_backfill", writes=writes, model=model, **{"live": "paused", **arguments})

    def rows(self, model: str, where: str = "1", schema: str = "marts") -> Counter[tuple[Any, ...]]:
        """The rows of a table, each with how often it is there."""
        return Counter(self.sql(f"select * from {schema}.{model} where {where}"))

    def parts(self, model: str, where: str = "1") -> set[tuple[Any, ...]]:
        """The partitions of a table, each with the hashes of its parts: what was not written to keeps them."""
        return set(
            self.sql(
                "select partition_id, toString(arraySort(groupArray((name, hash_of_all_files)))) from system.parts "
                f"where active and database = 'marts' and table = '{model}' and {where} group by partition_id"
            )
        )

    def units(self, run_id: str) -> list[str]:
        """The states of a run's units, in order."""
        text = f"select state from marts.backfill_safety_units where run_id = '{run_id}' order by unit_no"
        return [row[0] for row in self.sql(text)]

    def expire_leases(self) -> None:
        """As if the fifteen minutes of a dead run's lease were over."""
        if self.sql(
            "select 1 from system.tables where database = 'marts' and name = 'backfill_safety_leases'"
        ):
            self.sql(
                "insert into marts.backfill_safety_leases_log select relation, holder, taken_at, now64(6, 'UTC') - 1, seq + 1 "
                "from marts.backfill_safety_leases"
            )

    def build(self) -> None:
        """`used` holds the tables as months of use leave them, `want` what a full refresh then makes of them."""
        self.sql((HERE / "project" / "data.sql").read_text())
        assert (ended := self.run("run")).status == 0, ended.printed
        self._keep("used")
        self.sql((HERE / "project" / "late.sql").read_text())
        assert (ended := self.run("run", "--full-refresh")).status == 0, ended.printed
        self._keep("want")

    def restore(self, *models: str) -> None:
        """The tables as they are used, and nothing of the package's."""
        for kind, name in self.sql(
            "select if(engine = 'View', 'view', 'table'), name from system.tables "
            "where database = 'marts' and name like 'backfill_safety%' order by 1 desc"
        ):
            self.sql(f"drop {kind} marts.{name}")
        for model in models:
            self.sql(f"drop table if exists marts.{model};\n{self._copy_sql('used', 'marts', model)}")

    def _keep(self, schema: str) -> None:
        for model in MODELS:
            self.sql(self._copy_sql("marts", schema, model))

    @staticmethod
    def _copy_sql(source: str, target: str, model: str) -> str:
        """Parts and all: the copy holds the same files."""
        return (
            f"create table {target}.{model} as {source}.{model};\n"
            f"alter table {target}.{model} attach partition all from {source}.{model}"
        )
