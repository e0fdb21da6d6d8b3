"""P1 and P8: what only Postgres has: declared partitions, and sessions that write the same values in other ways."""

from __future__ import annotations

from typing import Any

from pg_shop import Shop

DAYS: dict[str, Any] = {"start": "2024-03-30", "end": "2024-04-02"}
DATES = "order_date >= date '2024-03-30' and order_date < date '2024-04-02'"
ZONED = "seen_at >= timestamptz '2024-03-30 00:00:00+01' and seen_at < timestamptz '2024-04-02 00:00:00+02'"
INPUT = {"inputs": {"stg_events": "event_ts"}}


def test_declared_partitions(shop: Shop) -> None:
    """P1: equal to a full refresh and undone; each row lies in the partition of its day."""
    shop.sql(f"""
        update marts.fct_partitioned set amount = amount + 1000 where {DATES} and event_id % 3 = 0;
        delete from marts.fct_partitioned where {DATES} and event_id % 3 = 1;
        insert into marts.fct_partitioned select * from marts.fct_partitioned where {DATES} and event_id % 3 = 2
    """)
    before = shop.rows("fct_partitioned")
    ended = shop.backfill("fct_partitioned", column="order_date", run_id="first", **DAYS, **INPUT)
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_partitioned", DATES) == shop.rows("fct_partitioned", DATES, "refreshed")
    outside = f"({DATES}) is not true"
    assert shop.rows("fct_partitioned", outside) == shop.rows("fct_partitioned", outside, "used")
    march = shop.rows("fct_partitioned", "order_date < date '2024-04-01'")
    assert shop.rows("fct_partitioned_03") == march
    assert shop.value("select count(*) from marts.fct_partitioned_rest where order_date is not null") == 0
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_partitioned") == before


def test_another_sessions_settings(shop: Shop) -> None:
    """P8: whoever undoes has another zone, another form of dates and fewer digits than who ran it: the same rows, so it is undone."""
    before = shop.rows("fct_zoned")
    arguments: dict[str, Any] = {"column": "seen_at", "timezone": "Europe/Berlin", **DAYS}
    assert shop.backfill("fct_zoned", run_id="first", **arguments).status == 0
    assert shop.rows("fct_zoned", ZONED) == shop.rows("fct_zoned", ZONED, "refreshed")
    shop.sql("""
        alter database shop set timezone = 'Asia/Tokyo';
        alter database shop set datestyle = 'German, DMY';
        alter database shop set extra_float_digits = -10
    """)
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_zoned") == before
    ended = shop.backfill("fct_zoned", run_id="second", **arguments)
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_zoned", ZONED) == shop.rows("fct_zoned", ZONED, "refreshed")
