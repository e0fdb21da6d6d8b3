"""P5 and P7: on ClickHouse nothing is written while others may write; the plan says what is not promised."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clickhouse_shop import Shop

DAYS: dict[str, Any] = {"start": "2024-03-29", "end": "2024-03-31", "inputs": {"stg_events": "event_ts"}}


def test_the_schedule_must_be_paused(shop: Shop) -> None:
    """BF304 blocks; the plan names what ClickHouse does not promise, and the view that it does not fill; a plan writes nothing."""
    shop.restore("fct_day")
    parts = shop.parts("fct_day")
    shop.sql(
        "create materialized view marts.seen engine = MergeTree order by n as select n from marts.fct_day"
    )
    ended = shop.backfill("fct_day", live="running", **DAYS)
    assert ended.status == 1
    assert ended.error.startswith("RESTRUCTURE FIRST: nothing was written; BF304"), ended.printed
    assert "pause the schedule and write live: paused |" in ended.printed
    assert "marts.seen is filled by what is inserted into fct_day" in ended.printed
    ended = shop.backfill("fct_day", dry_run=True, **DAYS)
    assert ended.status == 0, ended.printed
    assert "the day under way when a run is killed holds its old rows or its new ones" in ended.printed
    assert "BF305" not in ended.printed
    month = {"start": "2024-03-01", "end": "2024-04-01", "grain": "month", "dry_run": True}
    ended = shop.backfill("fct_day", **month)
    assert ended.status == 0, ended.printed
    assert "BF305: readers can see a month" in ended.printed
    shop.sql("drop table marts.seen")
    assert shop.parts("fct_day") == parts
    assert (
        shop.sql("select name from system.tables where database = 'marts' and name like 'backfill_safety%'")
        == []
    )


def test_a_lease_that_another_holds(shop: Shop) -> None:
    """A living lease stops the run; an expired one does not."""
    shop.restore("fct_day")
    assert shop.backfill("fct_day", run_id="first", **DAYS).status == 0
    parts = shop.parts("fct_day")
    shop.sql(
        "insert into marts.backfill_safety_leases_log select '`marts`.`fct_day`', 'someone', now64(6, 'UTC'), now64(6, 'UTC') + 60, 100"
    )
    ended = shop.backfill("fct_day", **DAYS)
    assert ended.status == 1
    assert ended.error.startswith("another backfill of `marts`.`fct_day` is running (lease until "), (
        ended.printed
    )
    assert shop.parts("fct_day") == parts
    shop.expire_leases()
    ended = shop.backfill("fct_day", pause_seconds=0.01, **DAYS)
    assert ended.status == 0, ended.printed
    assert shop.sql("select * from marts.backfill_safety_leases") == []
