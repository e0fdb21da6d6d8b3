"""P3: on Spark a run that is killed at any statement goes on by the same call: no unit is lost, half-written for good, or doubled."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dying import kept_or_there, killed_until_it_ends, old_or_new
from spark_shop import Shop

DAYS: dict[str, Any] = {"start": "2024-03-29", "end": "2024-03-31", "inputs": {"stg_events": "event_ts"}}
WINDOW = "order_date >= date '2024-03-29' and order_date < date '2024-03-31'"


def day(number: int) -> str:
    """A day of the window in SQL."""
    return f"order_date = date '2024-03-{number}'"


def by_day(shop: Shop, schema: str, table: str = "fct_daily") -> dict[str, set[tuple[Any, ...]]]:
    """The rows of the window, each day's by itself; no row is there twice."""
    days: dict[str, set[tuple[Any, ...]]] = {"2024-03-29": set(), "2024-03-30": set()}
    rows = shop.rows(table, WINDOW, schema)
    assert set(rows.values()) <= {1}
    for row in rows:
        days[row[-1]].add(row)
    return days


def look(shop: Shop, old: dict[str, Any], new: dict[str, Any]) -> None:
    """Each day is whole, and its old rows are somewhere."""
    now = by_day(shop, "marts")
    old_or_new(now, old, new)
    if now != old:
        ((run_id,),) = shop.sql("select run_id from marts.backfill_safety_runs")
        kept_or_there(now, old, by_day(shop, "marts", f"backfill_safety_backup_{run_id}"))


def test_killed_at_every_statement(shop: Shop, record_property: Callable[[str, object], None]) -> None:
    """Killed before each of its writes in turn, then resumed and killed before each write from there on; so is its undo."""
    shop.restore("fct_daily")

    def begun() -> bool:
        return bool(shop.sql("show views in marts like 'backfill_safety_runs'")) and bool(
            shop.sql("select 1 from marts.backfill_safety_runs")
        )

    old, new = by_day(shop, "used"), by_day(shop, "want")
    kills = killed_until_it_ends(
        shop,
        lambda writes: shop.backfill("fct_daily", writes=writes, **DAYS),
        lambda: look(shop, old, new),
        begun,
    )

    assert kills > 15
    assert shop.rows("fct_daily", WINDOW) == shop.rows("fct_daily", WINDOW, "want")
    others = f"({WINDOW}) is not true"
    assert shop.rows("fct_daily", others) == shop.rows("fct_daily", others, "used")
    ((run_id, state),) = shop.sql("select run_id, state from marts.backfill_safety_runs")
    assert (state, shop.units(run_id)) == ("done", ["done", "done"])

    undo = killed_until_it_ends(
        shop,
        lambda writes: shop.operation("rollback_backfill", writes=writes, run_id=run_id),
        lambda: look(shop, old, new),
    )

    assert undo > 5
    assert shop.units(run_id) == ["rolled back", "rolled back"]
    assert shop.rows("fct_daily") == shop.rows("fct_daily", schema="used")
    record_property(
        "kill points",
        f"Spark: a run killed {kills} times on its way and its undo {undo} times, resumed each time",
    )


def test_half_written(shop: Shop) -> None:
    """A killed overwrite has left a day empty: no other run may take that for its old rows; resumed or undone, they are there."""
    for cure in ("resume", "undo"):
        shop.restore("fct_daily")
        # the ledger's six, the lease, the backup's two, the units, the run, the stage's two, the rows, their backup, the entry, the day
        ended = shop.backfill("fct_daily", run_id="halved", writes=17, **DAYS)
        assert ended.status == -9, ended.printed
        assert shop.rows("fct_daily", day(29)) != shop.rows("fct_daily", day(29), "used")
        shop.expire_leases()
        assert shop.units("halved") == ["running", "planned"]
        shop.sql("alter table marts.fct_daily drop partition (order_date = '2024-03-29')")

        ended = shop.backfill("fct_daily", run_id="another", **DAYS)

        assert ended.status == 1
        assert "BF305: 2024-03-29 may be half-written: run halved was killed" in ended.error, ended.printed
        if cure == "resume":
            ended = shop.backfill("fct_daily", run_id="halved", **DAYS)
            assert ended.status == 0, ended.printed
            assert shop.rows("fct_daily", WINDOW) == shop.rows("fct_daily", WINDOW, "want")
            attempts = shop.sql("select attempt from marts.backfill_safety_units order by unit_no")
            assert attempts == [[2], [1]]
        ended = shop.operation("rollback_backfill", run_id="halved")
        assert ended.status == 0, ended.printed
        assert shop.rows("fct_daily") == shop.rows("fct_daily", schema="used")


def test_somebody_else_writes(shop: Shop) -> None:
    """While the old rows are copied, or while they are replaced: it is noticed, and nothing is lost."""
    shop.restore("fct_daily")
    files = shop.files("fct_daily")
    one = "where `order_date` = date '2024-03-29'"
    half = f"{one} and country = 'DE'"

    copied = "select `country`, `orders`, `amount`, `last_seen` from marts.fct_daily "
    ended = shop.backfill("fct_daily", run_id="copied", others=(copied + one, copied + half), **DAYS)

    assert ended.status == 1
    assert "2024-03-29 was not written: it changed while it was copied" in ended.error, ended.printed
    assert shop.units("copied") == ["planned", "planned"]
    assert shop.files("fct_daily") == files

    rows = "from marts.backfill_safety_rows_replaced "
    ended = shop.backfill("fct_daily", run_id="replaced", others=(rows + one, rows + half), **DAYS)

    assert ended.status == 1
    assert "2024-03-29 does not hold what was computed for it" in ended.error, ended.printed
    assert shop.units("replaced") == ["running", "planned"]
    ended = shop.backfill("fct_daily", run_id="replaced", **DAYS)
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_daily", WINDOW) == shop.rows("fct_daily", WINDOW, "want")
    ended = shop.operation("rollback_backfill", run_id="replaced")
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_daily") == shop.rows("fct_daily", schema="used")


def test_kill_9(spark_folder: Path, tmp_path: Path) -> None:
    """Python and Java are killed while the files of a day are replaced; another Java goes on, and undoes it."""
    assert spark_folder.exists()
    with Shop(tmp_path, is_kept=True) as killed:
        killed.build("fct_daily")
        killed.restore("fct_daily")
        folder = tmp_path / "warehouse" / "marts.db" / "fct_daily" / "order_date=2024-03-29"
        old = set(folder.glob("*.parquet"))
        assert old
        arguments = f"{{model: fct_daily, live: paused, start: {DAYS['start']}, end: {DAYS['end']}, inputs: {{stg_events: event_ts}}}}"
        killed.begin(
            {
                "arguments": ["run-operation", "safe_backfill", "--args", arguments],
                "output": str(tmp_path / "printed.txt"),
            }
        )
        began = time.monotonic()
        while all(file.exists() for file in old):
            assert time.monotonic() - began < 120, (tmp_path / "printed.txt").read_text()
        killed.kill()
    with Shop(tmp_path, is_kept=True) as shop:
        ((run_id,),) = shop.sql("select run_id from marts.backfill_safety_runs")
        assert shop.units(run_id)[0] in ("running", "done")
        ended = shop.backfill("fct_daily", **DAYS)
        assert "another backfill of marts.fct_daily is running (lease until " in ended.error, ended.printed
        shop.expire_leases()
        ended = shop.backfill("fct_daily", **DAYS)
        assert ended.status == 0, ended.printed
        assert shop.units(run_id) == ["done", "done"]
        assert shop.rows("fct_daily", WINDOW) == shop.rows("fct_daily", WINDOW, "want")
        ended = shop.operation("rollback_backfill", run_id=run_id)
        assert ended.status == 0, ended.printed
        assert shop.rows("fct_daily") == shop.rows("fct_daily", schema="used")
