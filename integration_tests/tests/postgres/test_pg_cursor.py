"""P4: on Postgres too no unit carries the cursor past rows that the live run has not read."""

from __future__ import annotations

from typing import Any

import pytest
from pg_shop import Shop

WINDOW: dict[str, Any] = {
    "start": "2024-04-30",
    "end": "2024-05-03",
    "column": "event_ts",
    "grain": "day",
    "run_id": "first",
}
CURSOR = "select max(event_ts) from marts.fct_merge"


@pytest.mark.parametrize("worker", [None, "w1"])
@pytest.mark.parametrize(
    "more", [{"inputs": {"stg_events": "event_ts"}}, {"read": "once", "units_per_commit": 3}]
)
def test_the_newest_day_is_deferred(shop: Shop, more: dict[str, Any], worker: str | None) -> None:
    """It holds rows newer than the cursor: it is left alone, the others go on; after a live run the same call does it."""
    arguments = {**WINDOW, **more} if worker is None else {**WINDOW, **more, "worker": worker}
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
    assert shop.value("select count(*) from marts.fct_merge") == shop.value(
        "select count(distinct event_id) from marts.fct_merge"
    )


def test_rows_newer_than_the_cursor_alone(shop: Shop) -> None:
    """Nothing could be written: blocked before anything is."""
    shop.sql("insert into raw.events values (7000, timestamp '2024-05-02 23:30:00', 9, 'DE')")
    before = shop.rows("fct_merge")
    ended = shop.backfill(
        "fct_merge", **{**WINDOW, "start": "2024-05-02", "inputs": {"stg_events": "event_ts"}}
    )
    assert ended.status == 1
    assert "BF404" in ended.error, ended.printed
    assert shop.rows("fct_merge") == before
    assert shop.value("select to_regclass('marts.backfill_safety_runs') is null")
