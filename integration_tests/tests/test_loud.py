"""P7 and P10: nothing is written by a plan, and what is not complete exits non-zero."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from shop import Shop, own_project

WAREHOUSES = ["duckdb", "postgres"]

WINDOW: dict[str, Any] = {"start": "2024-03-01", "end": "2024-03-05", "column": "order_date"}


def test_the_command_line(shop: Shop) -> None:
    """dbt itself exits with 1 after a run that stopped at a limit."""
    arguments = json.dumps({"model": "fct_daily", "limits": {"minutes": 0.0001}, **WINDOW})
    project = own_project(shop.dbt, shop.folder)  # dbt leaves this port in what it parsed
    environment = {**os.environ, **shop.environment, "DBT_PROFILES_DIR": str(project)}
    command = [
        Path(sys.executable).parent / "dbt",
        "--quiet",
        "run-operation",
        "safe_backfill",
        "--args",
        arguments,
    ]
    ended = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 1, ended.stdout
    assert "is incomplete: 1 of 4 days done" in ended.stdout
    assert shop.runs() == [("incomplete", ["done", "planned", "planned", "planned"])]


@pytest.mark.parametrize("form", ["table", "json"])
def test_a_dry_run_writes_nothing(shop: Shop, form: str) -> None:
    """Not a table, not a schema, not a row."""
    before = shop.checksums()
    ended = shop.backfill("fct_daily", dry_run=True, format=form, **WINDOW)
    assert ended.status == 0, ended.printed
    assert "SAFE TO RUN" in ended.printed
    assert shop.checksums() == before


def test_a_block_finding_writes_nothing(shop: Shop) -> None:
    """Until it is accepted with a reason, which the ledger keeps."""
    before = shop.checksums()
    given = {**WINDOW, "limits": {"units": 3}}
    ended = shop.backfill("fct_daily", **given)
    assert ended.status == 1
    assert (
        ended.error
        == "RESTRUCTURE FIRST: nothing was written; BF505: the window has 4 units and the limit is 3"
    )
    assert shop.checksums() == before
    ended = shop.backfill("fct_daily", accept={"BF505": "four are few"}, reason="wrong amounts", **given)
    assert ended.status == 0, ended.printed
    [(accepted, reason)] = shop.sql("select accepted, reason from marts.backfill_safety_runs")
    assert json.loads(accepted) == {"BF505": "four are few"}
    assert reason == "wrong amounts"


def test_the_plan_is_what_runs(shop: Shop) -> None:
    """Relations, window, units, rows, SQL and findings are printed before the run."""
    ended = shop.backfill("fct_daily", inputs={"stg_events": "event_ts"}, **WINDOW)
    lines = ended.printed.splitlines()
    for start in (
        "backfill  fct_daily → shop.marts.fct_daily",
        "window    2024-03-01 through 2024-03-04: 4 days",
        "reads     about",
        "cursor    max(order_date) = 2024-12-29 stays",
    ):
        assert any(line.startswith(start) for line in lines), (start, ended.printed)
    sql = ended.printed.index("timestamp '2024-03-01 00:00:00'")
    assert sql < ended.printed.index("Verdict: SAFE TO RUN") < ended.printed.index("1/4")


def test_a_failing_statement(shop: Shop) -> None:
    """A unit whose insert fails: non-zero, what was finished stays, nothing is half-written, and the next call resumes."""
    shop.sql("""
        drop table marts.tbl_daily;
        create table marts.tbl_daily (order_date date, orders bigint check (orders < 1000), amount decimal(38, 2))
    """)
    shop.sql("insert into marts.tbl_daily select cast(event_ts as date), 1, 1 from raw.events group by 1")
    one = "timestamp '2024-03-03 01:00:00'"
    late = f"select 90000 + i, 1, 1, {one}, {one}, 1, 'DE' from generate_series(1, 1000) as t(i)"
    shop.sql(f"insert into raw.events {late}")
    ended = shop.backfill("tbl_daily", **WINDOW)
    assert ended.status == 1
    assert "check constraint" in ended.printed.lower()
    third = "select orders from marts.tbl_daily where order_date = date '2024-03-03'"
    assert shop.sql(third) == [(1,)]
    assert (
        shop.value(
            "select min(orders) from marts.tbl_daily where order_date in (date '2024-03-01', date '2024-03-02')"
        )
        > 1
    )
    shop.sql("delete from raw.events where event_id >= 90000")
    ended = shop.backfill("tbl_daily", run_id="anew", read="per_unit", **WINDOW)
    assert ended.status == 0, ended.printed
    assert shop.sql(third)[0][0] > 1
