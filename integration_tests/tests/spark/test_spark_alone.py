"""P5 and P7: on Spark nothing is written while others may write, nor where a unit is not a whole partition; the plan says what is
not promised."""

from __future__ import annotations

from typing import Any

import pytest
from spark_shop import Shop

DAYS: dict[str, Any] = {"start": "2024-03-29", "end": "2024-03-31", "inputs": {"stg_events": "event_ts"}}


def ledger(shop: Shop) -> list[Any]:
    """What of the package's lies in the schema."""
    return shop.sql("show tables in marts like 'backfill_safety*'")


def test_the_schedule_must_be_paused(shop: Shop) -> None:
    """BF304 blocks; the plan names the promises that Spark cannot keep; a plan writes nothing."""
    shop.restore("fct_daily")
    files = shop.files("fct_daily")
    ended = shop.backfill("fct_daily", live="running", **DAYS)
    assert ended.status == 1
    assert ended.error.startswith("RESTRUCTURE FIRST: nothing was written; BF304"), ended.printed
    assert "pause the schedule and write live: paused |" in ended.printed
    ended = shop.backfill("fct_daily", dry_run=True, **DAYS)
    assert ended.status == 0, ended.printed
    assert "BF305: readers can see a day empty or half-written" in ended.printed
    assert "P3: the day under way when a run is killed is half-written" in ended.printed
    assert "P5: spark has no transactions and no locks" in ended.printed
    assert shop.files("fct_daily") == files
    assert ledger(shop) == []


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "no partitions": (
        "fct_whole",
        {**DAYS, "column": "order_date"},
        "marts.fct_whole has no partitions, and an overwrite would replace all of it; set partition_by: order_date",
    ),
    "hours of a day": (
        "fct_append",
        {"start": "2024-03-29", "end": "2024-03-30", "column": "event_ts", "grain": "hour"},
        "units of event_ts cut the partitions of marts.fct_append (ds), which are replaced whole; write column: ds",
    ),
    "a part of a partition": (
        "fct_append",
        {"start": "2024-03-29", "end": "2024-03-30", "column_format": "%Y%m%d", "where": {"event_id": 7}},
        "where: event_id cuts the partitions of marts.fct_append (ds), which are replaced whole; leave it out",
    ),
    "no backup": ("fct_daily", {**DAYS, "backup": False}, "backup: false is not available on spark: "),
    "missing rows": (
        "fct_append",
        {
            "start": "2024-03-29",
            "end": "2024-03-30",
            "column_format": "%Y%m%d",
            "expect": {"keep_missing": True},
        },
        "expect: keep_missing is not available on spark; ",
    ),
    "workers": ("fct_daily", {**DAYS, "worker": "w1", "run_id": "shared"}, "worker is not available"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(shop: Shop, case: str) -> None:
    """One line, with the way out, before a row is read."""
    model, arguments, message = REFUSED[case]
    ended = shop.backfill(model, **arguments)
    assert ended.status == 1
    assert ended.error.startswith(message), ended.printed
    assert ledger(shop) == []


def test_a_lease_that_another_holds(shop: Shop) -> None:
    """As long as it lives the run is refused; afterwards it goes on. `where` may name a partition, and pauses are Spark's own."""
    shop.restore("fct_nested")
    days = {**DAYS, "column": "order_date", "where": {"country": "AT"}, "expect": {"max_shrink": 0.4}}
    assert (ended := shop.backfill("fct_nested", pause_seconds=0.1, **days)).status == 0, ended.printed
    for minutes, status in ((5, 1), (-5, 0)):
        shop.sql(
            "insert into marts.backfill_safety_leases_log select 'marts.fct_nested', 'someone', null, "
            f"cast(current_timestamp() + make_interval(0, 0, 0, 0, 0, {minutes}) as timestamp_ntz), max(seq) + 1 "
            "from marts.backfill_safety_leases_log"
        )
        ended = shop.backfill("fct_nested", **days)
        assert ended.status == status, ended.printed
        if status:
            assert ended.error.startswith("another backfill of marts.fct_nested is running (lease until ")
    assert shop.sql("select * from marts.backfill_safety_leases") == []
    window = "order_date between date '2024-03-29' and date '2024-03-30'"
    at, others = f"{window} and country = 'AT'", f"({window} and country = 'AT') is not true"
    assert shop.rows("fct_nested", at) == shop.rows("fct_nested", at, "want")
    assert shop.rows("fct_nested", others) == shop.rows("fct_nested", others, "used")
