"""Rows that come or go in a bounded source while a run is under way are told at its end."""

from __future__ import annotations

from typing import Any

import pytest
from pg_shop import Shop, turn_of, until

WINDOW: dict[str, Any] = {
    "start": "2024-03-30",
    "end": "2024-04-03",
    "column": "order_date",
    "inputs": {"stg_events": "event_ts"},
    "expect": {"max_shrink": 0.5},
    "run_id": "first",
}
COMES = "insert into raw.events select 900000 + i, timestamp '2024-03-31 12:00:00', 1, 'DE' from generate_series(1, 3) as i"
GOES = "delete from raw.events where event_id = (select min(event_id) from raw.events where event_ts >= timestamp '2024-04-01')"
ELSEWHERE = "insert into raw.events select 900001, timestamp '2024-04-03 00:00:00', 1, 'DE'"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (COMES, "stg_events has 3 rows more in the window than when the run was planned"),
        (GOES, "stg_events has 1 row fewer in the window than when the run was planned"),
        (ELSEWHERE, None),
    ],
    ids=["rows come", "a row goes", "a row comes outside the window"],
)
def test_a_source_that_changed_is_named(shop: Shop, change: str, told: str | None) -> None:
    """The run is planned and waits for its turn when the source changes; the same window again has nothing to tell."""
    with shop.held(turn_of("fct_daily")):
        running = shop.begin_backfill("fct_daily", **WINDOW)
        until(
            lambda: (
                shop.value("select to_regclass('marts.backfill_safety_units') is not null")
                and shop.units("first") == ["planned"] * 4
            ),
            lambda: running.printed,
        )
        shop.sql(change)
    ended = running.ended()
    assert ended.status == 0, ended.printed
    assert (f"late      {told}; ask again over the same window" in ended.printed) is (told is not None)
    assert ("late      " in ended.printed) is (told is not None), ended.printed

    ended = shop.backfill("fct_daily", **{**WINDOW, "run_id": "second"})
    assert ended.status == 0, ended.printed
    assert "late      " not in ended.printed
