"""Contestants inside dbt: `python with_dbt.py [--shares] PROJECT DBT-ARGUMENT…`.

The work alone is timed, in dbt's own process: `dbt run` from the first node to the last (`execute_nodes`),
an operation from opening its connection to the end of its macro (`_run_unsafe`). Start-up, parsing and the
manifest are left out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from dbt.cli.main import dbtRunner
from dbt.task.run_operation import RunOperationTask
from dbt.task.runnable import GraphRunnableTask
from stopwatch import Stopwatch, report


def timed(watch: Stopwatch, method: Callable[..., Any]) -> Callable[..., Any]:
    """The method, with its seconds added up."""

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with watch.running():
            return method(*args, **kwargs)

    return wrapper


def main(arguments: list[str]) -> int:
    """Run dbt once; 0 when it succeeded."""
    watch, more = Stopwatch(), {}
    if arguments[0] == "--shares":
        from shares import Shares

        shares = Shares()
        shares.install()
        more["shares"] = shares.seconds
        arguments = arguments[1:]
    GraphRunnableTask.execute_nodes = timed(watch, GraphRunnableTask.execute_nodes)  # type: ignore[method-assign]
    RunOperationTask._run_unsafe = timed(watch, RunOperationTask._run_unsafe)  # type: ignore[method-assign]
    project, *command = arguments
    result = dbtRunner().invoke([*command, "--project-dir", project, "--profiles-dir", project])
    report(watch, **more)
    return 0 if result.success else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
