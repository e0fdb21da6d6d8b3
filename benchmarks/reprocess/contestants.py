"""Who competes, and how each is started. Every contestant is one process that ends with one line of JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from work import END, FIRST

HERE = Path(__file__).parent
WINDOW = {"start": str(FIRST), "end": str(END)}
DECLARED = {"inputs": {"raw.events": "event_ts"}}
HOURS = {"inputs": {"raw.readings": "read_at"}}


@dataclass(frozen=True)
class Place:
    """Where things lie during one benchmark."""

    scratch: Path
    database: Path
    sqlmesh: Path | None

    @property
    def project(self) -> Path:
        """The dbt project's copy."""
        return self.scratch / "project"


@dataclass(frozen=True)
class Contestant:
    """A way to do the work."""

    key: str
    label: str
    command: Callable[[Place], list[str]]
    copied: bool = False


def plain(way: str) -> Callable[[Place], list[str]]:
    """A function of plain.py."""
    return lambda place: [sys.executable, str(HERE / "plain.py"), way, str(place.database)]


def dbt(*arguments: str, before: tuple[str, ...] = ()) -> Callable[[Place], list[str]]:
    """A dbt command, without its messages on the terminal."""
    script = [sys.executable, str(HERE / "with_dbt.py"), *before]
    return lambda place: [*script, str(place.project), "--no-print", "--quiet", *arguments]


def safe(model: str, *, shares: bool = False, **arguments: object) -> Callable[[Place], list[str]]:
    """Our operation on a model."""
    given = json.dumps({"model": model, **arguments})
    return dbt("run-operation", "safe_backfill", "--args", given, before=("--shares",) if shares else ())


def sqlmesh(batch: int) -> Callable[[Place], list[str]]:
    """SQLMesh, in its own environment."""
    script = str(HERE / "with_sqlmesh.py")
    return lambda place: [
        str(place.sqlmesh),
        script,
        str(place.scratch / f"sqlmesh{batch}"),
        str(place.database),
        str(batch),
    ]


MICROBATCH = ("--event-time-start", str(FIRST), "--event-time-end", str(END))
DAILY = [
    Contestant("loop", "bare loop, 365 commits", plain("loop")),
    Contestant("one_statement", "one statement", plain("one_statement")),
    Contestant("full_refresh", "`dbt run --full-refresh`", dbt("run", "--full-refresh", "--select", "daily")),
    Contestant("microbatch", "dbt microbatch", dbt("run", "--select", "daily_microbatch", *MICROBATCH)),
    Contestant("sqlmesh_1", "SQLMesh, batch 1", sqlmesh(1)),
    Contestant("sqlmesh_none", "SQLMesh, no batch size", sqlmesh(0)),
    Contestant(
        "safe_declared",
        "safe_backfill, inputs declared, one day a commit",
        safe("daily", **WINDOW, **DECLARED),
    ),
    Contestant(
        "safe_auto",
        "safe_backfill, inputs declared, units_per_commit: auto",
        safe("daily", **WINDOW, **DECLARED, units_per_commit="auto"),
    ),
    Contestant("safe_once", "safe_backfill, nothing declared (read once)", safe("daily", **WINDOW)),
    Contestant(
        "safe_once_auto",
        "safe_backfill, nothing declared, units_per_commit: auto",
        safe("daily", **WINDOW, units_per_commit="auto"),
    ),
]
COPIED = [
    Contestant("copied_loop", "bare delete-and-insert loop", plain("copied_loop"), copied=True),
    Contestant(
        "copied_loop_with_backup",
        "the same, keeping what it replaces",
        plain("copied_loop_with_backup"),
        copied=True,
    ),
    Contestant(
        "copied_safe",
        "safe_backfill with backup",
        safe("copied", **WINDOW, **DECLARED),
        copied=True,
    ),
    Contestant(
        "copied_safe_shares",
        "the same, each statement timed",
        safe("copied", shares=True, **WINDOW, **DECLARED),
        copied=True,
    ),
]


def hourly(hours: int, **arguments: object) -> dict[str, object]:
    """The arguments for this many hours of `hourly`, from 2013 on."""
    from datetime import datetime, timedelta

    first = datetime(2013, 1, 1)
    end = str(first + timedelta(hours=hours))
    return {"start": str(first), "end": end, "limits": {"units": hours}, **HOURS, **arguments}


SCALES = (1_000, 10_000, 100_000)
PLANS = [
    Contestant(f"plan_{n}", f"plan of {n:,} units", safe("hourly", **hourly(n, dry_run=True))) for n in SCALES
]
RUNS = [
    Contestant(f"run_{n}", f"run of {n:,} units, one a commit", safe("hourly", **hourly(n)))
    for n in SCALES[:2]
] + [
    Contestant(
        f"run_auto_{n}",
        f"run of {n:,} units, units_per_commit: auto",
        safe("hourly", **hourly(n, units_per_commit="auto")),
    )
    for n in SCALES
]
