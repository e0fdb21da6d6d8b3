"""Reprocesses a year on Postgres in every way there is, and writes what each took to POSTGRES.md. `make bench-postgres`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "reprocess"), str(HERE.parent / "integration_tests" / "tests")]

from on_postgres import CONTESTANTS, Machine, make_events  # noqa: E402
from page_of_postgres import page  # noqa: E402
from postgres_server import Server  # noqa: E402
from rounds import Results, make_project  # noqa: E402


@click.command()
@click.option("--rows", default=10_000_000, show_default=True, help="Rows of raw.events.")
@click.option("--repeat", default=3, show_default=True, help="Rounds; the medians count.")
@click.option("--only", multiple=True, help="Contestants by key; everyone where it is not given.")
@click.option("--scratch", type=click.Path(path_type=Path), default=Path("/tmp/backfill_safety_postgres"))  # noqa: S108
@click.option(
    "--fsync/--no-fsync",
    default=True,
    help="Whether a commit waits for the disk, as Postgres does by default.",
)
@click.option("--out", type=click.Path(path_type=Path), default=HERE / "POSTGRES.md", show_default=True)
def main(rows: int, repeat: int, only: tuple[str, ...], scratch: Path, fsync: bool, out: Path) -> None:
    """Measure, print, write."""
    scratch.mkdir(parents=True, exist_ok=True)
    make_project(scratch, HERE.parent)
    server = Server(syncs=fsync)
    try:
        server.start()
        machine = Machine(server, scratch)
        print(f"making {rows:,} rows", flush=True)
        make_events(machine, rows)
        results = Results()
        for number in range(1, repeat + 1):
            for contestant in CONTESTANTS:
                if (not only or contestant.key in only) and contestant.key not in results.failed:
                    measured = machine.run(contestant)
                    if measured is None:
                        results.failed[contestant.key] = f"failed; see {scratch / contestant.key}.log"
                    else:
                        results.rounds[contestant.key].append(measured)
                    told = f"{measured['seconds']:8.2f} s" if measured else "failed"
                    print(f"  {number}  {contestant.label:58} {told}", flush=True)
    finally:
        server.stop()
    out.write_text(page(results, rows, repeat, fsync))
    print(f"\n{out.read_text()}")


if __name__ == "__main__":
    main()
