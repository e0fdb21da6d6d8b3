"""Every optional argument is rendered by some run, and the run is right."""

from __future__ import annotations

from typing import Any

import pytest
from shop import Shop

WAREHOUSES = ["duckdb", "postgres"]

OPTIONAL: list[dict[str, Any]] = [
    {"pause_seconds": 0.01},
    {"seconds_per_commit": 0.001, "units_per_commit": "auto"},
    {"limits": {"minutes": 5, "rows": 100000}},
    {"hooks": "all"},
    {"live": "paused"},
    {"replace_by": "delete+insert"},
    {"inputs": "event_time"},
    {"version": None},
    {
        "expect": {
            "unique": True,
            "not_null": ["country"],
            "max_shrink": 0.5,
            "sql": "select * from {target} where {unit} and orders < 0",
        }
    },
    {"mode": "in_place", "cascade": "none", "only_changed": False, "format": "json"},
]


@pytest.mark.parametrize("given", OPTIONAL, ids=[next(iter(given)) for given in OPTIONAL])
def test_optional_arguments(shop: Shop, refreshed: Shop, given: dict[str, Any]) -> None:
    """Each is rendered by some run, and the run is right."""
    ended = shop.backfill(
        "fct_daily", **{"start": "2024-03-01", "end": "2024-03-04", "column": "order_date", **given}
    )
    assert ended.status == 0, ended.printed
    days = "order_date >= date '2024-03-01' and order_date < date '2024-03-04'"
    assert shop.differing_rows(refreshed, "marts.fct_daily", days) == 0


@pytest.mark.parametrize(
    ("through", "hours"), [("2024-03-02", 48), ("2024-03-02 00:00:00", 25), ("2024-03-02 05:00", 30)]
)
def test_through_a_day_of_hours(shop: Shop, through: str, hours: int) -> None:
    """A day alone is all of its hours; with a time it names one of them."""
    plan = shop.plan("fct_merge", start="2024-03-01", through=through, grain="hour", column="event_ts")
    assert plan["summary"]["units"] == hours


def test_an_expectation_that_does_not_run(shop: Shop) -> None:
    """It ends the plan, before a run is begun."""
    before = shop.checksums()
    window = {"start": "2024-03-01", "end": "2024-03-04", "column": "order_date"}
    ended = shop.backfill(
        "fct_daily", expect={"sql": "select * from {target} where {unit} and amout < 0"}, **window
    )
    assert ended.status == 1
    assert "amout" in ended.printed
    assert shop.checksums() == before
