"""Rounds: contestants in turn, each in its own process on targets as they were."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contestants import HERE, Contestant, Place
from data import reset


@dataclass
class Results:
    """What was measured: for each contestant, one mapping a round (none where it failed)."""

    rounds: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    failed: dict[str, str] = field(default_factory=dict)

    def median(self, key: str, name: str = "seconds") -> float | None:
        """The median over the rounds."""
        values = [measured[name] for measured in self.rounds.get(key, [])]
        return statistics.median(values) if values else None

    def ratio(self, key: str, base: str, name: str = "seconds") -> float | None:
        """The median of the ratios of each round, in which both met the same load."""
        pairs = zip(self.rounds.get(key, []), self.rounds.get(base, []), strict=False)
        ratios = [one[name] / other[name] for one, other in pairs]
        return statistics.median(ratios) if ratios else None


def run_rounds(results: Results, who: Sequence[Contestant], place: Place, repeat: int) -> None:
    """Each contestant `repeat` times, taking turns. One that fails is not asked again."""
    for number in range(1, repeat + 1):
        for contestant in who:
            if contestant.key not in results.failed:
                measured = run_once(contestant, place)
                results.rounds[contestant.key].append(measured) if measured else None
                if not measured:
                    results.failed[contestant.key] = "failed; see the log beside the database"
                print(line(contestant, number, measured), flush=True)


def run_once(contestant: Contestant, place: Place) -> dict[str, Any] | None:
    """The contestant's own figures, with the machine's load; none where it failed or reported nothing."""
    reset(place.database, copied=contestant.copied)
    shutil.rmtree(place.project / "logs", ignore_errors=True)
    load = os.getloadavg()[0]
    environment = {
        **os.environ,
        "BENCHMARK_DATABASE": str(place.database),
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
        "DO_NOT_TRACK": "1",
    }
    done = subprocess.run(
        contestant.command(place), cwd=HERE, env=environment, capture_output=True, text=True, check=False
    )
    (place.scratch / f"{contestant.key}.log").write_text(done.stdout + done.stderr)
    at = done.stdout.rfind('{"seconds"')  # after whatever a tool has printed
    if done.returncode or at < 0:
        return None
    return {**json.loads(done.stdout[at:]), "load": load}


def line(contestant: Contestant, number: int, measured: dict[str, Any] | None) -> str:
    """One measurement, for the terminal."""
    if measured is None:
        return f"  {number}  {contestant.label:58} failed"
    return (
        f"  {number}  {contestant.label:58} {measured['seconds']:8.2f} s"
        f"  {measured['cpu_seconds']:8.2f} s of processors"
        f"  {measured['peak_mib']:6.0f} MiB  load {measured['load']:.1f}"
    )


def make_project(scratch: Path, root: Path) -> None:
    """A copy of the dbt project that installs the package from the repository, parsed once."""
    project = scratch / "project"
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(HERE / "project", project)
    (project / "packages.yml").write_text(f"packages: [{{local: {root}}}]\n")
    dbt = [str(Path(sys.executable).parent / "dbt"), "--quiet"]
    where = ["--project-dir", str(project), "--profiles-dir", str(project)]
    subprocess.run([*dbt, "deps", *where], check=True, env={**os.environ, "BENCHMARK_DATABASE": ":memory:"})


def make_sqlmesh(scratch: Path, duckdb_version: str) -> Path | None:
    """SQLMesh in its own environment, with everyone's DuckDB; none where it cannot be installed."""
    home = scratch / "sqlmesh"
    python = home / "bin" / "python"
    if not python.exists():
        print("installing SQLMesh into an environment of its own", flush=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        steps: Iterable[list[str]] = (
            [sys.executable, "-m", "venv", str(home)],
            [*install, "sqlmesh[duckdb]"],
            [*install, "--no-deps", f"duckdb=={duckdb_version}"],
        )
        for step in steps:
            if subprocess.run(step, check=False).returncode:
                shutil.rmtree(home, ignore_errors=True)
                return None
    return python
