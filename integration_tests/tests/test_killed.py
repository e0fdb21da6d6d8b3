"""P3: killed before and after every statement, the run is resumed by the same call and ends as if nothing had been."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from matrix import between
from shop import Shop

WAREHOUSES = ["duckdb", "postgres"]

WINDOW = {"start": "2024-03-01", "end": "2024-03-04", "column": "order_date"}
DAYS = between("order_date", "2024-03-01", "2024-03-04")
COLUMNS = "order_date, orders"

# name → (model, arguments)
SHAPES: dict[str, tuple[str, dict[str, Any]]] = {
    "one unit a commit": ("fct_daily", {**WINDOW, "inputs": {"stg_events": "event_ts"}}),
    "read once": ("fct_daily", {**WINDOW, "read": "once", "order": "descending"}),
    "joined commits": ("fct_ephemeral", {**WINDOW, "read": "per_unit", "units_per_commit": 2}),
    "a new column": ("fct_new_column", {**WINDOW, "read": "once", "units_per_commit": 3}),
    "one by one": (
        "fct_daily",
        {**WINDOW, "read": "per_unit", "units_per_commit": 2, "expect": {"not_null": ["country"]}},
    ),
    "no backup": ("tbl_daily", {**WINDOW, "read": "per_unit", "backup": False, "units_per_commit": 3}),
}


def spoil(shop: Shop, table: str) -> None:
    """A wrong, a missing and a doubled row."""
    shop.sql(f"""
        update {table} set orders = orders + 1 where {DAYS};
        delete from {table} where order_date = date '2024-03-02';
        insert into {table} select * from {table} where order_date = date '2024-03-03';
    """)


def finished(shop: Shop) -> list[tuple[Any, ...]]:
    """The units that the ledger has as done, with when they were."""
    if not shop.runs():
        return []
    return shop.sql(
        "select run_id, unit_no, finished_at from marts.backfill_safety_units where state in ('done', 'unchanged') order by 1, 2"
    )


def changed(shop: Shop, before: Shop, table: str) -> list[str]:
    """The days that are no longer as they were; one that was right by chance is not among them."""
    if not shop.differing_rows(before, table, DAYS, COLUMNS):
        return []
    days = [f"order_date = date '2024-03-0{day}'" for day in (1, 2, 3)]
    return [day for day in days if shop.differing_rows(before, table, day, COLUMNS)]


@pytest.mark.parametrize("shape", SHAPES)
def test_killed_at_every_statement(
    shop: Shop, refreshed: Shop, warehouse: str, shape: str, record_property: Callable[[str, object], None]
) -> None:
    """No day is half-written, the resumed run redoes no finished unit, and the end is a full refresh's.

    The first shape dies before and after every statement, those of the plan among them; on Postgres, where a unit's script is one
    statement, before each and after the last: after one is before the next, and what dies in the middle of it is in
    postgres/test_pg_killed.py. So do the other shapes on both, from the first write on.
    """
    model, arguments = SHAPES[shape]
    first = shape == next(iter(SHAPES))
    every = first and warehouse == "duckdb"
    spoil(shop, f"marts.{model}")
    folder = shop.folder.parent
    log = folder / "statements.txt"
    faults = {"engine": warehouse, "log": str(log), "only_writes": not first}
    ended = shop.copy(folder / "counting").backfill(model, faults={"kill_at": None, **faults}, **arguments)
    assert ended.status == 0, ended.printed
    statements = log.read_text().splitlines()
    assert sum(bool(re.search("(?i)delete|insert|commit", line)) for line in statements) > 5
    last = 2 * len(statements) - 1
    points = range(last + 1) if every else [*range(0, last, 2), last]
    for point in points:
        copy = killed_and_resumed(
            shop, refreshed, folder / "killed", model, arguments, {"kill_at": point, **faults}
        )
        if shape == "read once":
            undone(copy, shop, f"marts.{model}", point)
        for file in copy.folder.iterdir():
            file.unlink()
    record_property(
        "kill points",
        f"{shape} on {warehouse}: killed at {len(points)} points around {len(statements)} statements, resumed each time",
    )


def killed_and_resumed(
    shop: Shop, refreshed: Shop, folder: Path, model: str, arguments: dict[str, Any], faults: dict[str, Any]
) -> Shop:
    """One point; the copy of the shop in which it was."""
    table, point = f"marts.{model}", faults["kill_at"]
    copy = shop.copy(folder)
    ended = copy.backfill(model, faults=faults, **arguments)
    assert ended.status == -9, f"point {point} was not met: {ended.printed}"
    days, done = changed(copy, shop, table), finished(copy)
    half_written = [day for day in days if copy.differing_rows(refreshed, table, day, COLUMNS)]
    assert half_written == [], point
    assert len(days) <= len(done), f"point {point}: a unit is written and not recorded"

    ended = copy.backfill(model, **arguments)

    assert ended.status == 0, f"after point {point}: {ended.printed}"
    assert [row for row in done if row not in finished(copy)] == [], (
        f"point {point}: finished units were redone"
    )
    names = refreshed.columns(table)
    assert copy.differing_rows(refreshed, table, DAYS, names) == 0, point
    assert copy.differing_rows(shop, table, f"({DAYS}) is not true", COLUMNS) == 0, point
    assert copy.runs()[-1] == ("done", ["done"] * 3), point
    return copy


def undone(copy: Shop, before: Shop, table: str, point: int) -> None:
    """P8: what was kept before the kill and what was kept after it give back the table as it was."""
    runs = copy.sql("select run_id from marts.backfill_safety_runs order by started_at desc")
    for (run_id,) in runs:  # two where the kill came after the end
        ended = copy.operation("rollback_backfill", run_id=run_id)
        assert ended.status == 0, f"after point {point}: {ended.printed}"
    assert copy.differing_rows(before, table) == 0, point
