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
