"""P4 and P6: a worker judges its units as a run without workers does, be they joined in one commit or not."""

from __future__ import annotations

from typing import Any

import pytest
from pg_shop import Shop, until

WINDOW: dict[str, Any] = {"column": "event_ts", "grain": "day", "run_id": "first", "worker": "w1"}
MARCH: dict[str, Any] = {**WINDOW, "start": "2024-03-29", "end": "2024-04-02", "read": "once"}
LOST = "event_ts >= timestamp '2024-03-31' and event_ts < timestamp '2024-04-01'"
NEWEST: dict[str, Any] = {**WINDOW, "start": "2024-04-30", "end": "2024-05-03"}
CURSOR = "select max(event_ts) from marts.fct_merge"


@pytest.mark.parametrize("joined", [1, 4])
@pytest.mark.parametrize(
    ("gone", "message"),
    [("true", "would become empty"), ("event_id % 3 = 0", "would lose")],
    ids=["all rows", "a third"],
)
def test_a_source_that_lost_rows(shop: Shop, joined: int, gone: str, message: str) -> None:
    """That day is as it was; a commit that it shares with others is split, and the days before it are done."""
    shop.sql(f"delete from raw.events where {LOST} and {gone}")
    before = shop.rows("fct_merge", LOST)
    ended = shop.backfill("fct_merge", **MARCH, units_per_commit=joined)
    assert ended.status == 1
    assert f"2024-03-31 {message}" in ended.error, ended.printed
    assert shop.rows("fct_merge", LOST) == before
    assert shop.units("first") == ["done", "done", "failed", "planned"]


@pytest.mark.parametrize(
    "more", [{"inputs": {"stg_events": "event_ts"}}, {"read": "once", "units_per_commit": 3}]
)
def test_the_newest_day_is_deferred(shop: Shop, more: dict[str, Any]) -> None:
    """It holds rows newer than the cursor: it is left alone, the others go on; after a live run the same call does it."""
    arguments = {**NEWEST, **more}
    shop.sql("""
        update marts.fct_merge set amount = 0 where event_ts >= timestamp '2024-04-30' and event_ts < timestamp '2024-05-02';
        insert into raw.events select 7000 + i, timestamp '2024-05-02 23:00:00' + i * interval '1 minute', 9, 'DE'
        from generate_series(0, 2) as i
    """)
    cursor = shop.value(CURSOR)
    ended = shop.backfill("fct_merge", **arguments)
    assert ended.status == 1
    assert "1 deferred (2024-05-02) until the live run has caught up" in ended.error, ended.printed
    assert shop.units("first") == ["done", "done", "deferred"]
    assert shop.value(CURSOR) == cursor
    assert shop.run("run", "--select", "fct_merge").status == 0
    ended = shop.backfill("fct_merge", **arguments)
    assert ended.status == 0, ended.printed
    assert shop.units("first") == ["done"] * 3
    differing = """
        select event_id, event_ts, amount, country from raw.events where event_ts >= timestamp '2024-04-30'
        except all select event_id, event_ts, amount, country from marts.fct_merge
    """
    assert shop.value(f"select count(*) from ({differing}) as d") == 0
    assert shop.value("select count(*) - count(distinct event_id) from marts.fct_merge") == 0


@pytest.mark.parametrize(
    "text",
    [
        "DE'; drop table marts.fct_daily; --",
        "$$; drop table marts.fct_daily; $$",
        "\\'; select 1; --",
        "$sql$ x $block$ {{ 7 }} %s",
    ],
)
def test_values_stay_values(shop: Shop, text: str) -> None:
    """What looks like SQL, or like the quotes around a worker's block of it, selects no row, and is no SQL."""
    before = shop.rows("fct_daily")
    arguments = {**MARCH, "column": "order_date", "read": "per_unit", "where": {"country": text}}
    ended = shop.backfill("fct_daily", **arguments)
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_daily") == before


def test_a_limit_of_minutes_holds_over_all(shop: Shop) -> None:
    """It counts from when the run was opened, for a worker that comes later as well; each ends its commit under way."""
    window = {"start": "2024-03-20", "end": "2024-04-20", "column": "order_date", "run_id": "first"}
    in_commit = (
        "select count(*) from pg_stat_activity where wait_event = 'advisory' and backend_xid is not null"
    )
    with shop.held("1"):
        begun = [
            shop.begin_backfill(
                "fct_daily",
                **window,
                inputs={"stg_events": "event_ts"},
                worker=worker,
                limits={"minutes": minutes},
            )
            for worker, minutes in (("w1", 5), ("w2", 4))
        ]
        until(lambda: shop.value(in_commit) == 2, lambda: "\n".join(running.printed for running in begun))
        shop.sql("update marts.backfill_safety_leases set taken_at = taken_at - interval '6 minutes'")
    for running, minutes in zip(begun, (5, 4), strict=True):
        ended = running.ended()
        assert ended.status == 1
        assert f"the limit of {minutes} minutes is reached" in ended.printed, ended.printed
    assert shop.units("first").count("done") == 2
    assert shop.value("select state from marts.backfill_safety_runs") == "incomplete"
