"""One Spark session and one dbt in it, for all the tests: both take seconds to start and a fraction of one for a command.

Reads one JSON object a line. {sql} runs SQL and is answered by {rows} or {error}; {arguments, output, writes} runs a dbt command
and is answered by {status}: its exit status, or -9 where it was ended before it could write more often than `writes`.
"""

from __future__ import annotations

import datetime
import decimal
import json
import os
import re
import sys
import traceback
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import dbt.adapters.spark.session as spark_session
from dbt.cli.main import dbtRunner
from dbt_server import FLAGS, parsed
from pyspark.sql import SparkSession

_WRITE = re.compile(r"(?is)(?:\s|/\*.*?\*/)*(?:create|insert|update|delete|merge|alter|drop)\b")


class Killed(BaseException):
    """Ends a command where a fault was set; nothing in dbt or in the package catches it."""


class Faults:
    """Lets a command write so many times, and ends it before it does once more; None never ends it.

    `others` replaces a text of its statements by another, as if somebody else had a hand in what they do.
    """

    def __init__(self) -> None:
        self.left: int | None = None
        self.others: tuple[str, str] = ("", "")
        self._execute = spark_session.Cursor.execute

    def install(self) -> None:
        """Stand between dbt and Spark."""

        def execute(cursor: Any, sql: str, *parameters: Any) -> None:
            if self.left is not None and _WRITE.match(sql):
                if self.left == 0:
                    raise Killed
                self.left -= 1
            self._execute(cursor, sql.replace(*self.others) if self.others[0] else sql, *parameters)

        spark_session.Cursor.execute = execute


def iceberg(folder: Path) -> dict[str, str]:
    """Catalogs of Iceberg: `ice`, and `other`, which has the same tables and its own memory of them, as another session would."""
    found = find_spec("snowpark_connect_deps_iceberg")
    if not found or not found.origin:
        return {}
    jar = Path(found.origin).parent / "jars" / "iceberg-spark-runtime-3.5_2.12-1.10.2.jar"
    settings = {"spark.driver.extraClassPath": str(jar)}
    for name in ("ice", "other"):
        catalog = f"spark.sql.catalog.{name}"
        settings[catalog] = "org.apache.iceberg.spark.SparkCatalog"
        settings[f"{catalog}.type"] = "hadoop"
        settings[f"{catalog}.warehouse"] = str(folder / "iceberg")
    return settings


def session(folder: Path, is_kept: bool) -> SparkSession:
    """A small Spark: one task at a time, nothing adapted, compiled or shown.

    A kept one has its catalog in a Hive metastore on disk, the other one in memory, which costs a third of the time. It also lives
    too short for Java's second compiler.
    """
    java = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1" if is_kept else "-XX:+UseSerialGC"
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.default.parallelism": "1",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "local"),
        "spark.sql.catalogImplementation": "hive" if is_kept else "in-memory",
        "spark.hadoop.javax.jdo.option.ConnectionURL": f"jdbc:derby:directory:{folder / 'metastore'};create=true",
        "spark.driver.extraJavaOptions": f"-Dderby.system.home={folder} {java}",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in (settings | ({} if is_kept else iceberg(folder))).items():
        builder = builder.config(name, value)
    found = builder.getOrCreate()
    found.sparkContext.setLogLevel("OFF")
    return found


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ")
    return str(value) if isinstance(value, (datetime.date, decimal.Decimal)) else value


def run_sql(spark: SparkSession, text: str) -> dict[str, Any]:
    """The rows of the last of some statements; a line break after a semicolon ends one."""
    try:
        for statement in [part for part in re.split(r";\s*(?:\n|$)", text) if part.strip()]:
            rows = spark.sql(statement).collect()
        return {"rows": [[plain(value) for value in row] for row in rows]}
    except Exception as error:
        return {"error": str(error)[:2000]}


def run_dbt(job: dict[str, Any], manifest: Any, faults: Faults) -> dict[str, Any]:
    """One dbt command; what it prints goes to a file."""
    kept = os.dup(1), os.dup(2)
    output = os.open(job["output"], os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    faults.left, faults.others = job.get("writes"), tuple(job.get("others") or ("", ""))
    try:
        result = dbtRunner(manifest=manifest).invoke([*FLAGS, "--quiet", *job["arguments"]])
        if result.exception:
            print(result.exception)
        killed = isinstance(result.exception, Killed)
        status = -9 if killed else 0 if result.success else 2 if result.exception else 1
    except Killed:
        status = -9
    except BaseException:
        traceback.print_exc()
        status = 3
    finally:
        faults.left, faults.others = None, ("", "")
        sys.stdout.flush()
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)
        for descriptor in (*kept, output):
            os.close(descriptor)
    return {"status": status}


def main(project: str, folder: str, is_kept: bool) -> None:
    """Serve until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    spark = session(Path(folder), is_kept)
    manifest = parsed(project, None)
    faults = Faults()
    faults.install()
    for line in sys.stdin:
        job = json.loads(line)
        answer = run_sql(spark, job["sql"]) if "sql" in job else run_dbt(job, manifest, faults)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3] == "kept")
