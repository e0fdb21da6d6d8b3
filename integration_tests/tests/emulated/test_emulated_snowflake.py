"""On an emulator of Snowflake (fakesnow) a run ends as a full refresh would, refuses to lose rows, and can be undone.

Not shown, since the emulator does not have it: what two sessions do to each other, DDL that commits, `pause_seconds` (system$wait), the
estimate (explain using json).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from emulators import Emulator, RefusedError, copied_project, dbt
from shop import Ended

WINDOW = {"model": "fct_daily", "column": "ORDER_DATE", "start": "2024-03-03", "end": "2024-03-06"}
DAYS = "order_date between '2024-03-03' and '2024-03-05'"
RAW = """
    create or replace table shop.raw.orders as
    select dateadd(day, mod(n, 20), to_date('2024-03-01')) as order_date,
        case when mod(n, 3) = 0 then 'DE' else 'O''Neil' end as country, cast(mod(n, 7) + 1 as number(10, 2)) as amount,
        to_timestamp_ntz('2024-04-01 00:00:00') as loaded_at
    from (select seq4() as n from table(generator(rowcount => 600)))
"""


class Snowflake:
    """The emulator with the built table, and what is asked of both."""

    def __init__(self, emulator: Emulator, project: Path) -> None:
        self.emulator = emulator
        self.project = project

    def backfill(self, **arguments: Any) -> Ended:
        """safe_backfill of the window."""
        given = json.dumps(WINDOW | {"live": "paused"} | arguments)
        return dbt(self.emulator, self.project, "run-operation", "safe_backfill", "--args", given)

    def rows(self, where: str = "1 = 1", table: str = "fct_daily") -> list[list[Any]]:
        """Rows of a table, sorted."""
        return self.emulator.sql(f"select * from shop.marts.{table} where {where} order by 1, 2, 3, 4, 5")

    def spoil(self) -> None:
        """The bug: rows of all days are wrong, and one day has rows twice."""
        self.emulator.sql("create or replace table shop.marts.fct_daily as select * from shop.marts.want")
        self.emulator.sql("update shop.marts.fct_daily set amount = amount * 2 + 1")
        self.emulator.sql(
            "insert into shop.marts.fct_daily select * from shop.marts.want where order_date = '2024-03-04'"
        )


@pytest.fixture(scope="module")
def snowflake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snowflake]:
    """Built once, as a full refresh gives it (`want`)."""
    with Emulator("snowflake", ["fakesnow", "-s", "-p"]) as emulator:
        for statement in ("create database shop", "create schema shop.raw", "create schema shop.marts", RAW):
            emulator.sql(statement)
        project = copied_project(tmp_path_factory.mktemp("snowflake") / "project")
        for command in ("deps", "run"):
            ended = dbt(emulator, project, command)
            assert ended.status == 0, ended.printed
        emulator.sql("create table shop.marts.want as select * from shop.marts.fct_daily")
        yield Snowflake(emulator, project)


def test_equal_undone_and_again(snowflake: Snowflake) -> None:
    """The window is as a full refresh gives it and other days are as they were; the undo gives all back; again, the same."""
    snowflake.spoil()
    spoiled = snowflake.rows()
    outside = snowflake.rows(f"not ({DAYS})")
    for run_id in ("first", "second"):
        ended = snowflake.backfill(run_id=run_id)
        assert ended.status == 0, ended.printed
        assert "BF110: the SQL for snowflake has run on an emulator alone" in ended.printed
        assert "reads     unknown; replaces about" in ended.printed
        assert "BF505: there is no estimate of what will be read" in ended.printed
        assert snowflake.rows(DAYS) == snowflake.rows(DAYS, "want")
        assert snowflake.rows(f"not ({DAYS})") == outside
        if run_id == "first":
            undo = ("run-operation", "rollback_backfill", "--args", '{"run_id": "first"}')
            ended = dbt(snowflake.emulator, snowflake.project, *undo)
            assert ended.status == 0, ended.printed
            assert snowflake.rows() == spoiled
    assert snowflake.emulator.sql(
        "select run_id, count(*), min(state), max(state) from shop.marts.backfill_safety_units group by run_id order by 1"
    ) == [["first", 3, "rolled back", "rolled back"], ["second", 3, "done", "done"]]


def test_nothing_vanishes(snowflake: Snowflake) -> None:
    """A day whose source rows are gone stops the run, which says so and exits non-zero; days before it stay done."""
    snowflake.spoil()
    spoiled = snowflake.rows("order_date >= '2024-03-04'")
    snowflake.emulator.sql("delete from shop.raw.orders where order_date = '2024-03-04'")
    ended = snowflake.backfill(run_id="vanishing")
    snowflake.emulator.sql(RAW)
    assert ended.status == 1
    assert "would become empty (4 rows now)" in ended.error
    assert snowflake.rows("order_date >= '2024-03-04'") == spoiled
    assert snowflake.rows("order_date = '2024-03-03'") == snowflake.rows("order_date = '2024-03-03'", "want")
    ended = snowflake.backfill(run_id="vanishing")
    assert ended.status == 0, ended.printed
    assert snowflake.rows(DAYS) == snowflake.rows(DAYS, "want")


def test_the_schedule_is_paused_or_nothing_is_written(snowflake: Snowflake) -> None:
    """No hook can guard a live run there, so none is offered."""
    before = snowflake.rows()
    ended = snowflake.backfill(live="running")
    assert ended.status == 1
    assert "pause the schedule and write live: paused" in ended.printed
    assert "live_run_begins" not in ended.printed
    assert snowflake.rows() == before


def test_the_emulator_does_not_explain(snowflake: Snowflake) -> None:
    """So the project beside this file says that nothing is told. When it does, that file has to go."""
    with pytest.raises(RefusedError, match="syntax error"):
        snowflake.emulator.sql("explain using json select * from shop.marts.fct_daily")
