"""P3: on ClickHouse a run that is killed at any statement goes on by the same call; each partition holds its old rows or its new ones."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Any

from dying import kept_or_there, killed_until_it_ends, old_or_new

if TYPE_CHECKING:
    from clickhouse_shop import Shop

DAYS: dict[str, Any] = {"start": "2024-03-29", "end": "2024-03-31", "inputs": {"stg_events": "event_ts"}}
WINDOW = "order_date in ('2024-03-29', '2024-03-30')"


def by_day(shop: Shop, schema: str, table: str = "fct_day") -> dict[Any, set[tuple[Any, ...]]]:
    """The rows of the window, each day's by itself; no row is there twice."""
    days: dict[Any, set[tuple[Any, ...]]] = {date(2024, 3, 29): set(), date(2024, 3, 30): set()}
    rows = shop.rows(table, WINDOW, schema)
    assert set(rows.values()) <= {1}
    for row in rows:
        days[row[-1]].add(row)
    return days


def look(shop: Shop, old: dict[Any, Any], new: dict[Any, Any]) -> None:
    """Each day is whole, and its old rows are somewhere."""
    now = by_day(shop, "marts")
    old_or_new(now, old, new)
    if now != old:
        ((backup,),) = shop.sql(
            "select name from system.tables where database = 'marts' and name like 'backfill_safety_backup%'"
        )
        kept_or_there(now, old, by_day(shop, "marts", backup))


def test_killed_at_every_statement(shop: Shop, record_property: Callable[[str, object], None]) -> None:
    """Killed before each of its writes in turn, then resumed and killed before each write from there on; so is its undo."""
    shop.restore("fct_day")

    def begun() -> bool:
        ledger = shop.sql(
            "select 1 from system.tables where database = 'marts' and name = 'backfill_safety_runs'"
        )
        return bool(ledger) and bool(shop.sql("select 1 from marts.backfill_safety_runs"))

    old, new = by_day(shop, "used"), by_day(shop, "want")
    kills = killed_until_it_ends(
        shop,
        lambda writes: shop.backfill("fct_day", writes=writes, **DAYS),
        lambda: look(shop, old, new),
        begun,
    )

    assert kills > 15
    assert shop.rows("fct_day", WINDOW) == shop.rows("fct_day", WINDOW, "want")
    others = f"ifNull({WINDOW}, 0) = 0"
    assert shop.rows("fct_day", others) == shop.rows("fct_day", others, "used")
    ((run_id, state),) = shop.sql("select run_id, state from marts.backfill_safety_runs")
    assert (state, shop.units(run_id)) == ("done", ["done", "done"])

    undo = killed_until_it_ends(
        shop,
        lambda writes: shop.operation("rollback_backfill", writes=writes, run_id=run_id),
        lambda: look(shop, old, new),
    )

    assert undo > 5
    assert shop.units(run_id) == ["rolled back", "rolled back"]
    assert shop.rows("fct_day") == shop.rows("fct_day", schema="used")
    record_property(
        "kill points",
        f"ClickHouse: a run killed {kills} times on its way and its undo {undo} times, resumed each time",
    )
