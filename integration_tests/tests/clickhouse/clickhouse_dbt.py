"""A dbt that stays warm beside ClickHouse: imports and parses once, then forks a process of its own for every command.

Reads one JSON object a line, {arguments, output, writes}, and answers {status}: the exit status, or minus the signal that ended it.
"""

from __future__ import annotations

import gc
import json
import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from dbt.adapters.clickhouse.httpclient import ChHttpClient
from dbt_server import parsed, run

_WRITE = re.compile(r"(?is)(?:\s|/\*.*?\*/)*(?:create|insert|alter|drop|truncate)\b")


def install(writes: int | None) -> None:
    """Die by SIGKILL after so many statements that write, before the next one is sent; None never dies."""
    seen = {"writes": 0}

    def watched(method: Any) -> Any:
        def send(self: ChHttpClient, sql: str, **more: Any) -> Any:
            if _WRITE.match(sql):
                if seen["writes"] == writes:
                    os.kill(os.getpid(), signal.SIGKILL)
                seen["writes"] += 1
            return method(self, sql, **more)

        return send

    ChHttpClient.query = watched(ChHttpClient.query)
    ChHttpClient.command = watched(ChHttpClient.command)


def main(project: str) -> None:
    """Serve until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    manifest = parsed(project, None)
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        job = json.loads(line)
        pid = os.fork()
        if pid == 0:
            install(job["writes"])
            os._exit(run({"project": project, "faults": None, **job}, manifest))
        answers.write(json.dumps({"status": os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1])
