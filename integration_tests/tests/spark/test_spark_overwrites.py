"""What an overwrite does on Spark when a partition is not named in full: the reason why the package names it."""

from __future__ import annotations

from spark_shop import Shop

DAY = "order_date = date '2024-03-29'"
EMPTY = "cast(event_ts as date) = date '1999-01-01'"
OVERWRITE = (
    "insert overwrite table marts.fct_daily partition (order_date) "
    "select country, count(*), sum(amount), max(event_ts), cast(event_ts as date) from marts.stg_events where {where} "
    "group by country, cast(event_ts as date)"
)
MODE = "set spark.sql.sources.partitionOverwriteMode = "


def test_static_wipes_the_other_partitions_and_the_package_does_not(shop: Shop) -> None:
    """In one and the same session, whose mode is STATIC: a day's overwrite leaves nothing but the day; a backfill of it all else."""
    shop.restore("fct_daily")
    before = shop.rows("fct_daily")
    assert len({row[-1] for row in before}) > 10
    shop.sql(f"{MODE}static")
    shop.sql(OVERWRITE.format(where="cast(event_ts as date) = date '2024-03-29'"))
    assert {row[-1] for row in shop.rows("fct_daily")} == {"2024-03-29"}

    shop.restore("fct_daily")
    ended = shop.backfill(
        "fct_daily", start="2024-03-29", end="2024-03-30", inputs={"stg_events": "event_ts"}
    )

    assert ended.status == 0, ended.printed
    assert shop.sql("set spark.sql.sources.partitionOverwriteMode")[0][1] == "static"
    assert shop.rows("fct_daily", DAY) == shop.rows("fct_daily", DAY, "want")
    others = f"({DAY}) is not true"
    assert shop.rows("fct_daily", others) == shop.rows("fct_daily", others, "used")


def test_dynamic_leaves_what_should_be_empty_and_the_package_does_not(shop: Shop) -> None:
    """An overwrite by no rows leaves the old ones; a backfill that may empty the day empties it."""
    shop.restore("fct_daily")
    shop.sql("insert into marts.fct_daily select 'DE', 3, 4.5, null, date '1999-01-01' from range(1)")
    gone = "order_date = date '1999-01-01'"
    shop.sql(f"{MODE}dynamic")
    shop.sql(OVERWRITE.format(where=EMPTY))
    assert sum(shop.rows("fct_daily", gone).values()) == 1

    ended = shop.backfill("fct_daily", start="1999-01-01", end="1999-01-02", expect={"allow_empty": True})

    assert ended.status == 0, ended.printed
    assert sum(shop.rows("fct_daily", gone).values()) == 0
    shop.sql(f"{MODE}static")
