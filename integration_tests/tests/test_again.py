"""P2: once, twice or five times, or in any overlap, the table ends the same; what re-runs of other tools broke is mended."""

from __future__ import annotations

from matrix import between
from shop import Shop

WAREHOUSES = ["duckdb", "postgres"]

WINDOW = {"start": "2024-03-01", "end": "2024-03-05"}


def test_five_times(shop: Shop, refreshed: Shop) -> None:
    """The second to fifth run change nothing, and say so."""
    arguments = {**WINDOW, "column": "order_date"}
    for number in range(5):
        ended = shop.backfill("fct_daily", run_id=f"run{number}", **arguments)
        assert ended.status == 0, ended.printed
        assert (
            shop.differing_rows(
                refreshed, "marts.fct_daily", between("order_date", "2024-03-01", "2024-03-05")
            )
            == 0
        )
        if number:
            assert ended.printed.count("unchanged") >= 4


def test_overlapping_windows(shop: Shop, refreshed: Shop) -> None:
    """Windows of other grains that overlap end as their union would."""
    outside = shop.copy(shop.folder.parent / "outside")
    for start, end, grain in (
        ("2024-03-01", "2024-03-10", "day"),
        ("2024-03-04", "2024-03-18", "week"),
        ("2024-03-01", "2024-04-01", "month"),
    ):
        ended = shop.backfill("fct_merge", start=start, end=end, grain=grain, column="event_ts")
        assert ended.status == 0, ended.printed
    march = between("event_ts", "2024-03-01", "2024-04-01", "timestamp")
    assert shop.differing_rows(refreshed, "marts.fct_merge", march) == 0
    assert shop.differing_rows(outside, "marts.fct_merge", f"({march}) is not true") == 0


def test_rows_doubled_by_an_appending_rerun(shop: Shop, refreshed: Shop) -> None:
    """No override is asked for when duplicates go."""
    days = between("event_ts", "2024-03-01", "2024-03-05", "timestamp")
    shop.sql(f"insert into marts.fct_append select * from marts.fct_append where {days}")
    ended = shop.backfill("fct_append", column="event_ts", **WINDOW)
    assert ended.status == 0, ended.printed
    assert "duplicates gone" in ended.printed
    assert shop.differing_rows(refreshed, "marts.fct_append", days) == 0


def test_lost_rows(shop: Shop, refreshed: Shop) -> None:
    """No override is asked for when rows come back, be it all of a day."""
    days = between("event_ts", "2024-03-01", "2024-03-05", "timestamp")
    shop.sql(
        f"delete from marts.fct_append where {days} and (event_id % 2 = 0 or event_ts < timestamp '2024-03-02')"
    )
    ended = shop.backfill("fct_append", column="event_ts", **WINDOW)
    assert ended.status == 0, ended.printed
    assert shop.differing_rows(refreshed, "marts.fct_append", days) == 0
