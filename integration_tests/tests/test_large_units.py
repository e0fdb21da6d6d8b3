"""Large units are computed by selects beside each other; what several units read alike is read once for all of them."""

from __future__ import annotations

from typing import Any

import pytest
from matrix import between
from shop import Shop

WINDOW: dict[str, Any] = {
    "start": "2024-03-01",
    "end": "2024-03-05",
    "column": "event_ts",
    "units_per_commit": 4,
}
DAYS = between("event_ts", "2024-03-01", "2024-03-05", "timestamp")
OFTEN = """
    truncate raw.events;
    insert into raw.events
    select i, i % 37, 1, timestamp '2024-03-01' + i * interval '864 milliseconds', timestamp '2024-03-05', i % 100, 'DE'
    from generate_series(0, 399999) as t(i)
"""
MANY_CUSTOMERS = "; insert into raw.customers select 100 + i, 'gold' from generate_series(1, 150000) as t(i)"


@pytest.mark.parametrize(
    ("data", "bounds", "selects"),
    [
        (OFTEN, "event_ts", 2),
        (OFTEN, {"column": "event_ts", "lookback": "1 day"}, 0),
        (OFTEN + MANY_CUSTOMERS, "event_ts", 0),
    ],
    ids=["own rows alone", "rows of the day before", "a large table without bounds"],
)
def test_a_quarter_of_a_million_rows_a_select(shop: Shop, data: str, bounds: Any, selects: int) -> None:
    """Four days of 100,000 rows, two of them a select; each day ends as a full refresh would leave it."""
    shop.sql(data)
    assert shop.run("run", "--full-refresh", "--select", "fct_parent_qualified").status == 0
    refreshed = shop.copy(shop.folder.parent / "anew")
    shop.sql("update marts.fct_parent_qualified set amount = amount + 1 where event_id % 3 = 0")
    log = shop.folder.parent / "statements.txt"

    ended = shop.backfill(
        "fct_parent_qualified",
        inputs={"stg_events": bounds},
        faults={"engine": "duckdb", "kill_at": None, "log": str(log), "only_writes": True},
        **WINDOW,
    )

    assert ended.status == 0, ended.printed
    assert shop.differing_rows(refreshed, "marts.fct_parent_qualified", DAYS) == 0
    inserts = [line for line in log.read_text().splitlines() if " as backfill_rows where " in line]
    assert [line.count(" as unit_rows where ") for line in inserts] == [selects]
