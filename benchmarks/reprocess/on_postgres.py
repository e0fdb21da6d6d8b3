"""The same work on Postgres: its data, who competes, and how each is run, one or several processes at once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contestants import DECLARED, MICROBATCH, WINDOW
from work import DAILY, DAYS, FIRST, WHOLE

if TYPE_CHECKING:
    from postgres_server import Server

HERE = Path(__file__).parent
DATABASE = "bench"


@dataclass(frozen=True)
class Contestant:
    """A way to do the work: the arguments of its processes, which begin together."""

    key: str
    label: str
    processes: list[list[str]]


def dbt(*arguments: str) -> list[str]:
    """A dbt command on the benchmark's project; PROJECT is filled in."""
    return ["with_dbt.py", "PROJECT", "--no-print", "--quiet", *arguments, "--target", "postgres"]


def safe(**arguments: object) -> list[str]:
    """Our operation; nobody else writes here, so the schedule is off."""
    given = {"model": "daily", "live": "paused", **WINDOW, **arguments}
    return dbt("run-operation", "safe_backfill", "--args", json.dumps(given))


def workers(count: int) -> list[list[str]]:
    """So many of it, that share one run."""
    return [safe(**DECLARED, run_id="shared", worker=f"w{number}") for number in range(1, count + 1)]


CONTESTANTS = [
    Contestant("loop", "bare loop, 365 commits", [["plain_postgres.py", "loop"]]),
    Contestant("kept", "the same, keeping what it replaces", [["plain_postgres.py", "loop_with_backup"]]),
    Contestant(
        "full_refresh", "`dbt run --full-refresh`", [dbt("run", "--full-refresh", "--select", "daily")]
    ),
    Contestant(
        "microbatch",
        "dbt microbatch, a merge by its key",
        [dbt("run", "--select", "daily_microbatch", *MICROBATCH)],
    ),
    Contestant("once", "safe_backfill, nothing declared (read once), one day a commit", [safe()]),
    Contestant(
        "once_auto",
        "safe_backfill, nothing declared, units_per_commit: auto",
        [safe(units_per_commit="auto")],
    ),
    Contestant("safe", "safe_backfill, inputs declared, one day a commit", [safe(**DECLARED)]),
    Contestant(
        "auto",
        "safe_backfill, inputs declared, units_per_commit: auto",
        [safe(**DECLARED, units_per_commit="auto")],
    ),
    *(
        Contestant(f"workers_{n}", f"the same, one day a commit, {n} worker{'s' * (n > 1)}", workers(n))
        for n in (1, 2, 4)
    ),
]


def make_events(machine: Machine, rows: int) -> None:
    """`raw.events` in the order of time, with an index on it, and its daily figures."""
    machine.sql(f"create database {DATABASE}", "postgres")
    machine.sql(f"""
        create schema raw; create schema main;
        create table raw.events as
        select i::bigint as event_id,
               timestamp '{FIRST}' + (i::numeric * {DAYS} * 86400 / {rows})::float8 * interval '1 second' as event_ts,
               (hashint8(i) & 1048575) % 1000000 as user_id,
               (hashint8(i + 7) & 1048575) % 50 as bucket,
               (hashint8(i + 13) & 1048575) % 100000 as amount
        from generate_series(0::bigint, {rows} - 1) as i;
        create index on raw.events (event_ts);
        create table raw.daily_now as {DAILY.format(bounds=WHOLE)}
    """)
    machine.sql("vacuum analyze raw.events")


@dataclass(frozen=True)
class Machine:
    """A server and a scratch folder."""

    server: Server
    scratch: Path

    def sql(self, text: str, database: str = DATABASE) -> list[tuple[Any, ...]]:
        """Run SQL in a session of its own; returns the rows of the last statement."""
        connection = self.server.connect(database)
        try:
            cursor = connection.cursor()
            cursor.execute(text)
            return cursor.fetchall() if cursor.description else []
        finally:
            connection.close()

    def reset(self) -> None:
        """The targets as they were, without anything a run left behind."""
        self.sql("drop schema main cascade; create schema main")
        for table in ("daily", "daily_microbatch"):
            self.sql(f"create table main.{table} as table raw.daily_now; create index on main.{table} (day)")
            self.sql(f"vacuum analyze main.{table}")
        self.sql("checkpoint")

    def run(self, contestant: Contestant) -> dict[str, Any] | None:
        """From the beginning of the first process's work to the end of the last one's; none where one failed."""
        self.reset()
        shutil.rmtree(self.scratch / "project" / "logs", ignore_errors=True)
        load = os.getloadavg()[0]
        environment = {
            **os.environ,
            "BENCHMARK_PORT": str(self.server.port),
            "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
            "DO_NOT_TRACK": "1",
        }
        project = str(self.scratch / "project")
        begun = [
            subprocess.Popen(
                [sys.executable, *(project if word == "PROJECT" else word for word in words)],
                cwd=HERE,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            for words in contestant.processes
        ]
        printed = [process.communicate()[0] for process in begun]
        (self.scratch / f"{contestant.key}.log").write_text("\n".join(printed))
        if any(process.returncode for process in begun) or not self.is_right(contestant):
            return None
        told = [json.loads(text[text.rfind('{"seconds"') :]) for text in printed]
        seconds = max(one["ended"] for one in told) - min(one["began"] for one in told)
        return {"seconds": seconds, "peak_mib": max(one["peak_mib"] for one in told), "load": load}

    def is_right(self, contestant: Contestant) -> bool:
        """The target holds what it must: the figures that were there before, computed anew."""
        table = "daily_microbatch" if contestant.key == "microbatch" else "daily"
        columns = "day, bucket, events, amount, users"
        differing = f"select {columns} from main.{table} except all select {columns} from raw.daily_now"
        count = f"(select count(*) from main.{table}) - (select count(*) from raw.daily_now)"
        return self.sql(f"select (select count(*) from ({differing}) as d), {count}") == [(0, 0)]
