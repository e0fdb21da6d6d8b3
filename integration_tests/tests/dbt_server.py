"""A dbt that stays warm: it imports and parses once, then forks a process of its own for every command.

Importing dbt and parsing cost seconds, a fork milliseconds. A forked command is a whole dbt with its own process id, memory
and connection to DuckDB: killing it is as hard as killing any other, and at its end the database file is free.

It reads one JSON object a line: {project, arguments, environment, output, faults, manifest}, and answers {status}: the exit
status as the dbt command line has it, or minus the signal that ended the process.
"""

from __future__ import annotations

import fcntl
import gc
import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any
from unittest.mock import patch

import dbt.adapters.duckdb
import dbt.task.run  # noqa: F401 - imported once, for all the forks
import faults
import thrifty
from dbt.cli.main import dbtRunner
from dbt_common.clients.agate_helper import build_type_tester
from dbt_common.clients.jinja import template_cache

FLAGS = ["--no-version-check", "--log-level-file", "none", "--no-use-colors", "--no-write-json"]

# Where a database is, is no part of what is parsed: named alike every time, dbt parses anew only what was edited.
NOWHERE = {"SHOP_DATABASE": "shop.duckdb", "SHOP_PORT": "5432"}


def parsed(project: str, vars_text: str | None) -> Any:
    """The manifest of a project folder, from dbt's own parser; its macros compiled, which is most of what a command costs."""
    thrifty.install()
    os.chdir(project)
    # workers share a project: one of them parses it, the others read what it wrote
    with patch.dict(os.environ, NOWHERE), Path("parsing").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = dbtRunner().invoke(
            [*FLAGS, "--quiet", "parse", *(["--vars", vars_text] if vars_text else [])]
        )
    if not result.success:
        raise RuntimeError(f"dbt parse of {project} failed: {result.exception}")
    build_type_tester([])
    for macro in result.result.macros.values():
        if macro.package_name != "dbt" or "adapters" in macro.path or "utils" in macro.path:
            template_cache.get_node_template(macro)
    return result.result


def run(job: dict[str, Any], manifest: Any) -> int:
    """Run one dbt command in this process; returns its exit status."""
    thrifty.in_command()
    os.chdir(job["project"])
    output = os.open(job["output"], os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    if job["faults"]:
        faults.install(**job["faults"])
    try:
        result = dbtRunner(manifest=manifest).invoke([*FLAGS, *job["arguments"]])
    except BaseException:
        traceback.print_exc()
        return 3
    if result.exception:
        print(result.exception)
    sys.stdout.flush()
    return 0 if result.success else 2 if result.exception else 1


def main() -> None:
    """Serve until the input ends. Answers go to the output that was there at the start, dbt's own words elsewhere."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    manifests: dict[str, Any] = {}
    for line in sys.stdin:
        job = json.loads(line)
        project = job["project"]
        os.environ.update(job["environment"])
        if job["manifest"] == "reuse" and project not in manifests:
            manifests[project] = parsed(project, None)
            gc.collect()
            gc.freeze()
        process = os.fork()
        if process == 0:
            status = run(job, manifests.get(project) if job["manifest"] == "reuse" else None)
            os._exit(status)
        ended = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        answers.write(json.dumps({"status": ended}) + "\n")
        answers.flush()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main()
