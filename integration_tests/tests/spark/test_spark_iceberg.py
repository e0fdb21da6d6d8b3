"""Iceberg on Spark: one snapshot replaces a unit, whatever its partitions are, and leaves every other row as it was."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from dying import killed_until_it_ends
from iceberg_shop import IcebergShop

INPUT: dict[str, Any] = {"inputs": {"stg_events": "event_ts"}}
DAYS: dict[str, Any] = {"start": "2024-03-29", "end": "2024-03-31", **INPUT}
FEWER: dict[str, Any] = {"expect": {"max_shrink": 0.6}}
DATES = "order_date >= date '2024-03-29' and order_date < date '2024-03-31'"
TIMES = "event_ts >= timestamp '2024-03-29' and event_ts < timestamp '2024-03-31'"

# name → (model, arguments, the window in SQL)
SHAPES: dict[str, tuple[str, dict[str, Any], str]] = {
    "a partition": ("ice_daily", DAYS, DATES),
    "a hidden partition": ("ice_hidden", {**DAYS, "read": "once"}, TIMES),
    "no partitions": ("ice_whole", {**DAYS, "column": "event_ts"}, TIMES),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_equal_again_and_back(ice: IcebergShop, shape: str) -> None:
    """P1, P2 and P8: a partition, a hidden one, and a range of a table without any: as a full refresh would leave it, again, and back;
    one snapshot a unit, and the files of other days are the same files."""
    model, arguments, window = SHAPES[shape]
    ice.restore(model)
    before, others = ice.rows(model), ice.rows(model, f"({window}) is not true")
    wanted = ice.rows(model, window, "want")
    kept = {
        row[0] for row in ice.sql(f"select distinct _file from marts.{model} where ({window}) is not true")
    }
    assert ice.rows(model, window) != wanted

    ended = ice.backfill(model, run_id="first", **FEWER, **arguments)

    assert ended.status == 0, ended.printed
    assert ice.units("first") == ["done", "done"]
    assert ice.rows(model, window) == wanted
    assert ice.rows(model, f"({window}) is not true") == others
    assert ice.snapshots(model) == 3
    if model != "ice_whole":
        assert kept <= ice.paths(model)
    if model == "ice_daily":
        ended = ice.backfill(model, run_id="second", **arguments)
        assert ended.status == 0, ended.printed
        assert ice.rows(model, window) == wanted
        assert ice.operation("rollback_backfill", run_id="second").status == 0

    ended = ice.operation("rollback_backfill", run_id="first")

    assert ended.status == 0, ended.printed
    assert ice.units("first") == ["rolled back", "rolled back"]
    assert ice.rows(model) == before


def test_the_plan(ice: IcebergShop) -> None:
    """P5 and P7: the schedule must be paused; a unit is never half-written, and the plan says so; an overwrite is no way here."""
    ice.restore("ice_daily")
    for arguments, message in (
        ({"live": "running"}, "RESTRUCTURE FIRST: nothing was written; BF304"),
        ({"backup": False}, "backup: false is not available on spark: "),
        (
            {"replace_by": "insert_overwrite"},
            "marts.ice_daily is stored as iceberg, and not replaced by insert_overwrite",
        ),
        ({"worker": "w1", "run_id": "shared"}, "worker is not available"),
    ):
        ended = ice.backfill("ice_daily", **{**DAYS, **arguments})
        assert ended.status == 1
        assert ended.error.startswith(message), ended.printed
    ended = ice.backfill("ice_daily", dry_run=True, replace_by="merge", **DAYS)
    assert ended.status == 0, ended.printed
    assert "BF305" not in ended.printed
    assert "P3: the day under way when a run is killed holds its old rows or its new ones" in ended.printed
    assert "P5: spark has no lock that a run could hold; live: paused is all" in ended.printed
    assert ice.snapshots("ice_daily") == 1
    assert ice.sql("show tables in marts like 'backfill_safety*'") == []


def test_an_empty_unit(ice: IcebergShop) -> None:
    """P6, in a session whose overwrites are DYNAMIC: a plain one by no rows leaves the old ones; a backfill refuses, then empties."""
    ice.restore("ice_hidden")
    ice.sql("insert into marts.ice_hidden select 1, timestamp '2024-04-20 12:00:00', 2, 'DE'")
    before, gone = ice.rows("ice_hidden"), "event_ts >= timestamp '2024-04-20'"
    ice.sql("set spark.sql.sources.partitionOverwriteMode = dynamic")
    ice.sql(f"insert overwrite marts.ice_hidden select * from marts.ice_hidden where {gone} and event_id = 2")
    assert ice.rows("ice_hidden") == before
    arguments = {"start": "2024-04-20", "end": "2024-04-21", **INPUT}

    ended = ice.backfill("ice_hidden", **{**arguments, "inputs": {}, "read": "once"})

    assert ended.status == 1
    assert "2024-04-20 would become empty (1 row now)" in ended.error, ended.printed
    assert ice.rows("ice_hidden") == before

    ended = ice.backfill("ice_hidden", run_id="emptied", expect={"allow_empty": True}, **arguments)

    assert ended.status == 0, ended.printed
    ice.sql("set spark.sql.sources.partitionOverwriteMode = static")
    assert ice.rows("ice_hidden", gone) == Counter()
    assert ice.rows("ice_hidden", f"not {gone} or event_ts is null") == before - Counter(
        {(1, "2024-04-20 12:00:00", "2.000000", "DE"): 1}
    )


def test_others(ice: IcebergShop) -> None:
    """P8: other sessions cancel a run and write to a unit of it: the run hears the one, its undo refuses the other."""
    ice.restore("ice_daily")
    cancelled = "update other.marts.backfill_safety_runs_log set cancel_requested = 1"

    ended = ice.backfill(
        "ice_daily", run_id="cancelled", others=("refresh table marts.ice_daily", cancelled), **DAYS
    )

    assert ended.status == 1
    assert "it was cancelled" in ended.error, ended.printed
    assert ice.units("cancelled") == ["done", "planned"]
    ice.sql("insert into other.marts.ice_daily select 'XX', 1, 1, null, date '2024-03-29'")
    ice.sql("refresh table marts.ice_daily")
    after = ice.rows("ice_daily")

    ended = ice.operation("rollback_backfill", run_id="cancelled")

    assert ended.status == 1
    assert ended.error.startswith("written to since run cancelled: 2024-03-29; undoing would lose that"), (
        ended.printed
    )
    assert ice.rows("ice_daily") == after


def test_killed_at_every_statement(ice: IcebergShop) -> None:
    """P3: a run is ended before each of its writes in turn, resumed each time, and so is its undo: the day has its old rows or its
    new ones, never a part of them."""
    ice.restore("ice_daily")
    day = "order_date = date '2024-03-29'"
    old, new = ice.rows("ice_daily", day), ice.rows("ice_daily", day, "want")
    arguments = {**DAYS, "end": "2024-03-30", "run_id": "killed"}

    def begun() -> bool:
        tables = ice.sql("show tables in marts like 'backfill_safety_runs_log'")
        return bool(tables and ice.sql("select 1 from marts.backfill_safety_runs_log"))

    def whole() -> None:
        assert ice.rows("ice_daily", day) in (old, new)

    run = killed_until_it_ends(
        ice, lambda writes: ice.backfill("ice_daily", writes=writes, **arguments), whole, begun
    )
    assert run > 15
    assert ice.rows("ice_daily", day) == new
    undo = killed_until_it_ends(
        ice, lambda writes: ice.operation("rollback_backfill", writes=writes, run_id="killed"), whole
    )
    assert undo > 4
    assert ice.rows("ice_daily") == ice.rows("ice_daily", schema="used")


def test_undo_after_a_kill(ice: IcebergShop) -> None:
    """P8: a run is killed with a day under way, and somebody writes to that day: the undo refuses to trample it."""
    ice.restore("ice_daily")
    # the ledger's three, the lease, the backup's two, the units, the run, the stage's four, the backup's rows, the entry, the day
    assert ice.backfill("ice_daily", run_id="killed", writes=15, **DAYS).status == -9
    ice.expire_leases()
    assert ice.units("killed") == ["running", "planned"]
    ice.sql("insert into marts.ice_daily select 'XX', 1, 1, null, date '2024-03-29'")

    ended = ice.operation("rollback_backfill", run_id="killed")

    assert ended.error.startswith("written to since run killed: 2024-03-29"), ended.printed
    ice.sql("delete from marts.ice_daily where country = 'XX'")
    ended = ice.operation("rollback_backfill", run_id="killed")
    assert ended.status == 0, ended.printed
    assert ice.rows("ice_daily") == ice.rows("ice_daily", schema="used")
