"""Many dbt commands at once: imports and parses once, then forks a process of its own for every command.

Reads one JSON object a line. {arguments, output} begins a command and is answered by {pid}; {pid} asks how it fares and is
answered by {status}: null while it runs, its exit status, or minus the signal that ended it.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import dbt.adapters.postgres  # noqa: F401 - imported once, for all the forks
from dbt_server import parsed, run


def main(project: str) -> None:
    """Serve until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    manifest = parsed(project, None)
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        job = json.loads(line)
        if "pid" in job:
            pid, ended = os.waitpid(job["pid"], os.WNOHANG)
            answer = {"status": os.waitstatus_to_exitcode(ended) if pid else None}
        else:
            pid = os.fork()
            if pid == 0:
                os._exit(run({"project": project, "faults": None, **job}, manifest))
            answer = {"pid": pid}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1])
