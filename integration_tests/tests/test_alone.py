"""P5: two writers never replace the same partition at once; on DuckDB one process holds the whole database."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest
from matrix import between
from shop import Shop

WINDOW: dict[str, Any] = {"start": "2024-03-01", "end": "2024-03-03", "column": "order_date"}
DAYS = between("order_date", "2024-03-01", "2024-03-03")

# Another writer: it has replaced the first day when it says so, and keeps the database until its input ends.
WRITER = """
import sys, duckdb
with duckdb.connect(sys.argv[1]) as connection:
    connection.execute("begin; update marts.fct_daily set orders = 7 where order_date = date '2024-03-01'")
    print("written", flush=True)
    sys.stdin.read()
    connection.execute("commit")
"""


@contextmanager
def other_writer(file: Path) -> Iterator[None]:
    """A second process in the middle of a write."""
    command = [sys.executable, "-c", WRITER, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "written\n"
        yield
    assert process.returncode == 0


def test_a_backfill_does_not_begin_beside_another_writer(shop: Shop, refreshed: Shop) -> None:
    """It ends with an error and has written nothing; once the writer is gone it does its work."""
    with other_writer(shop.file):
        ended = shop.backfill("fct_daily", **WINDOW)
    assert ended.status != 0, ended.printed
    assert shop.runs() == []
    assert shop.value(
        "select min(orders) = 7 and max(orders) = 7 from marts.fct_daily where order_date = date '2024-03-01'"
    )
    assert shop.backfill("fct_daily", **WINDOW).status == 0
    assert shop.differing_rows(refreshed, "marts.fct_daily", DAYS) == 0


def test_no_writer_comes_between_the_commits_of_a_backfill(shop: Shop, refreshed: Shop) -> None:
    """Between the first commit and the second, while the run rests, nobody else can open the database."""
    shop.sql(f"update marts.fct_daily set orders = orders + 1 where {DAYS}")
    printed = shop.folder / "printed.txt"
    with ThreadPoolExecutor() as beside:
        run = beside.submit(shop.backfill, "fct_daily", **WINDOW, pause_seconds=3)
        while not run.done() and not (printed.exists() and " 1/2 " in printed.read_text("utf-8")):
            time.sleep(0.05)
        assert not run.done(), run.result().printed
        with pytest.raises(duckdb.IOException, match="lock"):
            duckdb.connect(str(shop.file))
        ended = run.result()
    assert ended.status == 0, ended.printed
    assert shop.differing_rows(refreshed, "marts.fct_daily", DAYS) == 0


def test_a_lease_ends_with_its_run(shop: Shop) -> None:
    """A finished run leaves none; one that a killed process left stops nobody, since that process is gone."""
    assert shop.backfill("fct_daily", **WINDOW).status == 0
    assert shop.value("select count(*) from marts.backfill_safety_leases") == 0
    shop.sql("""
        insert into marts.backfill_safety_leases
        select relation, 'gone', now()::timestamp, now()::timestamp + interval 1 hour from marts.backfill_safety_runs
    """)
    assert shop.backfill("fct_daily", **WINDOW).status == 0
    assert shop.value("select count(*) from marts.backfill_safety_leases") == 0
