"""Reprocesses a year in every way there is, and writes what each took to RESULTS.md. `make bench`."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import click
import duckdb

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "reprocess"))

from contestants import COPIED, DAILY, PLANS, RUNS, Contestant, Place  # noqa: E402
from data import make_events, make_readings  # noqa: E402
from page import page  # noqa: E402
from rounds import Results, make_project, make_sqlmesh, run_rounds  # noqa: E402

ALL = ["10m", "100m", "units"]
SIZES = {"1m": 1_000_000, "10m": 10_000_000, "100m": 100_000_000}


@click.command()
@click.option(
    "--size", "sizes", multiple=True, type=click.Choice([*SIZES, "units"]), default=["10m", "100m", "units"]
)
@click.option("--repeat", default=3, show_default=True, help="Rounds; the medians count.")
@click.option("--only", multiple=True, help="Contestants by key; everyone where it is not given.")
@click.option("--scratch", type=click.Path(path_type=Path), help="Where databases are kept (2 GB).")
@click.option("--out", type=click.Path(path_type=Path), default=HERE / "RESULTS.md", show_default=True)
@click.option("--sqlmesh/--no-sqlmesh", default=True, help="Install SQLMesh and let it compete.")
def main(
    sizes: tuple[str, ...], repeat: int, only: tuple[str, ...], scratch: Path | None, out: Path, sqlmesh: bool
) -> None:
    """Measure, print, write."""
    scratch = scratch or Path(tempfile.gettempdir()) / "backfill_safety_benchmark"
    scratch.mkdir(parents=True, exist_ok=True)
    make_project(scratch, HERE.parent)
    python = make_sqlmesh(scratch, duckdb.__version__) if sqlmesh else None
    by_size: dict[str, Results] = {}
    for size in sizes:
        by_size[size] = measure(size, scratch, python, repeat, only)
        raw = {name: {"rounds": one.rounds, "failed": one.failed} for name, one in by_size.items()}
        (scratch / "results.json").write_text(json.dumps(raw, indent=1))
    out.write_text(page(by_size, repeat, sqlmesh_version(by_size)))
    print(f"\n{out.read_text()}")


def measure(size: str, scratch: Path, sqlmesh: Path | None, repeat: int, only: tuple[str, ...]) -> Results:
    """All contestants of a size, in rounds."""
    print(f"{size}: making the data", flush=True)
    results = Results()
    who: list[Contestant]
    if size == "units":
        database = scratch / "readings.duckdb"
        make_readings(database)
        who = PLANS + RUNS
    else:
        database = scratch / f"events_{size}.duckdb"
        make_events(database, SIZES[size])
        who = DAILY + (COPIED if size == "10m" else [])
    place = Place(scratch, database, sqlmesh)
    chosen = [one for one in who if (not only or one.key in only) and (sqlmesh or "sqlmesh" not in one.key)]
    run_rounds(results, chosen, place, repeat)
    return results


def sqlmesh_version(by_size: dict[str, Results]) -> str:
    """The version that competed; a dash where it did not."""
    for results in by_size.values():
        for measured in results.rounds.get("sqlmesh_none", []) + results.rounds.get("sqlmesh_1", []):
            return str(measured["sqlmesh"])
    return "–"


if __name__ == "__main__":
    main()
