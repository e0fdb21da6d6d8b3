"""What an emulator of BigQuery (crucible) carries of a run there: the statement that replaces a unit, and the ledger's.

The statements are those of generated/bigquery.txt, which is what the package gives. A whole run cannot be shown: the emulator
refuses what stands in REFUSED, and some of it is in every run. When it takes one of them, the last test says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from emulators import Emulator, RefusedError

PINNED = (Path(__file__).parents[1] / "generated" / "bigquery.txt").read_text(encoding="utf-8")
RUN = PINNED.split("-- a plan, a run and its undo\n")[1].split("\n-- ")[0]
STATEMENTS = [statement for block in RUN.split(";\n\n") if (statement := block.strip())]

EVENTS = """
    select date_add(date '2024-02-28', interval mod(n, 10) day) as day, n as id, 'DE' as country,
        datetime '2024-04-01 00:00:00' as loaded_at, cast(mod(n, 7) as float64) as amount
    from unnest(generate_array(1, 200)) as n
"""
REFUSED = {
    "create or replace table marts.copy like marts.fct": "CREATE TABLE needs a column list or AS SELECT",
    "truncate table marts.fct": "Not supported by Crucible: TRUNCATETABLE statement",
    "delete from marts.fct where true": "Not supported by Crucible: DELETE statement",
    "begin transaction; select 1; commit transaction": "Not supported by Crucible: TRANSACTION statement",
    "select farm_fingerprint('a')": "Not supported by Crucible: FARM_FINGERPRINT",
}


def first(*starts: str) -> str:
    """The first statement of the run that begins so, also within a job of several."""
    for statement in STATEMENTS:
        for part in statement.split(";\n"):
            if any(part.startswith(start) for start in starts):
                return part
    raise AssertionError(f"no statement begins with {starts}")


@pytest.fixture(scope="module")
def bigquery() -> Iterator[Emulator]:
    """The target, and the rows that a unit was computed to have."""
    with Emulator("bigquery", ["crucible", "serve", "--dialect", "bigquery", "--port"]) as emulator:
        emulator.sql("create schema marts")
        yield emulator


@pytest.fixture
def target(bigquery: Emulator) -> Emulator:
    """The target with wrong amounts, and a stage with the right ones of a day."""
    bigquery.sql(f"create or replace table marts.want as {EVENTS}")
    bigquery.sql(
        "create or replace table marts.fct as select * replace(amount + 1 as amount) from marts.want"
    )
    stage(bigquery, "true")
    return bigquery


def stage(emulator: Emulator, where: str) -> None:
    """The rows that the day was computed to have."""
    emulator.sql(
        "create or replace table marts.backfill_safety_rows_r1 as select * from marts.want "
        f"where day = date '2024-03-01' and {where}"
    )


def rows(emulator: Emulator, table: str, where: str) -> list[list[str]]:
    """Rows of a table, sorted."""
    return emulator.sql(f"select * from marts.{table} where {where} order by id")


def test_one_statement_replaces_a_unit(target: Emulator) -> None:
    """The day holds the new rows, once and after the same statement again; other days are untouched."""
    outside = rows(target, "fct", "day <> date '2024-03-01'")
    merge = first("merge into `shop`.`marts`.`fct` ")
    for _ in range(2):
        target.sql(merge)
        assert rows(target, "fct", "day = date '2024-03-01'") == rows(
            target, "want", "day = date '2024-03-01'"
        )
        assert rows(target, "fct", "day <> date '2024-03-01'") == outside


def test_no_rows_empty_a_unit(target: Emulator) -> None:
    """An empty stage leaves an empty day, and the other days as they were."""
    outside = rows(target, "fct", "day <> date '2024-03-01'")
    stage(target, "false")
    target.sql(first("merge into `shop`.`marts`.`fct` "))
    assert rows(target, "fct", "true") == outside


def test_keys_that_are_gone(target: Emulator) -> None:
    """Counted before anything is written: two of the day's twenty."""
    stage(target, "id not in (2, 12)")
    counted = target.sql(first("select 'keys_before'"))
    assert sorted(counted) == [["keys_after", "0", "18"], ["keys_before", "0", "20"], ["lost", "0", "2"]]


def test_the_ledger(target: Emulator) -> None:
    """Made, appended to, and read through its views: the lease, the planned units, and a unit that is done."""
    for statement in STATEMENTS:
        if statement.startswith(("create table if not exists", "create or replace view")):
            target.sql(statement)
    target.sql(first("insert into `shop`.`marts`.`backfill_safety_leases_log`"))
    assert target.sql(first("select holder"))[0][0] == "me"
    target.sql(first("insert into `shop`.`marts`.`backfill_safety_units_log`"))
    done = next(
        part
        for statement in STATEMENTS
        for part in statement.split(";\n")
        if "backfill_safety_units_log" in part and "'done'" in part
    )
    target.sql(done)
    states = target.sql(
        "select unit_no, state, rows_before from marts.backfill_safety_units order by unit_no"
    )
    assert states == [["0", "done", "3"], ["1", "planned", None]]


@pytest.mark.parametrize("statement", REFUSED)
def test_what_the_emulator_does_not_carry(target: Emulator, statement: str) -> None:
    """What keeps a whole run from being shown here."""
    with pytest.raises(RefusedError, match=REFUSED[statement]):
        target.sql(statement)
