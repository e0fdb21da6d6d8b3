"""Several processes may compute what is read once and what joined units hold; a row is stored where its own unit is."""

from __future__ import annotations

from typing import Any

import pytest
from pg_shop import Shop

WINDOW: dict[str, Any] = {
    "start": "2024-03-30",
    "end": "2024-04-01",
    "column": "event_ts",
    "run_id": "first",
}
# The query of each statement that may have workers goes to one of them; the setting had another name before Postgres 16.
# https://www.postgresql.org/docs/18/runtime-config-developer.html#GUC-DEBUG-PARALLEL-QUERY
WATCHED = """
    create function raw.computed_by() returns text language plpgsql stable parallel safe as
    'begin return (select backend_type from pg_stat_activity where pid = pg_backend_pid()); end';
    do 'begin execute format($$alter database shop set %s = on$$, (
        select name from pg_settings where name in ($$debug_parallel_query$$, $$force_parallel_mode$$))); end';
    alter database shop set parallel_leader_participation = off;
    insert into raw.events values (9999, timestamp '2024-03-30 23:59:59.7', 1, 'DE');
    {more};
    create table marts.fct_at_once (event_id bigint, event_ts {type}, computed_by text);
    insert into marts.fct_at_once select event_id, event_ts, 'nobody' from raw.events;
    create table marts.fct_counted as
    select event_ts::date as order_date, count(*) as orders, 'nobody' as computed_by from raw.events group by 1
"""
# Days of which two are more than are sorted in memory.
LARGE = """
    insert into raw.events select 100000 + i, timestamp '2024-03-30' + i * interval '4 seconds', 1, 'DE'
    from generate_series(0, 129599) as i
"""
DAYS = {**WINDOW, "end": "2024-04-05", "column": "order_date", "inputs": {"raw.events": "event_ts"}}
LOOKBACK = {"raw.events": {"column": "event_ts", "lookback": "1 day"}}


@pytest.mark.parametrize(
    ("type_of_column", "computed_by", "day"),
    [("timestamp", "parallel worker", "2024-03-30"), ("timestamp(0)", "client backend", "2024-03-31")],
    ids=["types of the query", "other types"],
)
def test_who_computes_the_window(shop: Shop, type_of_column: str, computed_by: str, day: str) -> None:
    """A worker of Postgres, but for a target that holds other types: there a row belongs to the unit of what is stored of it."""
    shop.sql(WATCHED.format(type=type_of_column, more=""))
    before = shop.value("select count(*) from marts.fct_at_once")
    ended = shop.backfill("fct_at_once", **WINDOW)
    assert ended.status == 0, ended.printed
    within = "event_ts >= date '2024-03-30' and event_ts < date '2024-04-01'"
    assert shop.sql(f"select distinct computed_by from marts.fct_at_once where {within}") == [(computed_by,)]
    assert shop.sql(f"select distinct computed_by from marts.fct_at_once where not ({within})") == [
        ("nobody",)
    ]
    assert shop.value("select count(*) from marts.fct_at_once") == before
    assert str(shop.value("select event_ts::date from marts.fct_at_once where event_id = 9999")) == day
    assert shop.units("first") == ["done", "done"]


def computed(shop: Shop) -> list[str]:
    """Who has computed the days of the window."""
    days = "order_date >= date '2024-03-30' and order_date < date '2024-04-05'"
    return [
        row[0]
        for row in shop.sql(f"select computed_by from marts.fct_counted where {days} order by order_date")
    ]


@pytest.mark.parametrize(
    ("arguments", "more", "workers"),
    [
        ({"units_per_commit": 2}, LARGE, 4),
        ({"units_per_commit": 2, "worker": "w1"}, LARGE, 4),
        ({"units_per_commit": 2, "backup": False}, LARGE, 4),
        ({"units_per_commit": 2}, "", 0),
        ({"units_per_commit": 1}, LARGE, 0),
        ({"units_per_commit": 2, "inputs": LOOKBACK}, LARGE, 0),
    ],
    ids=["joined", "of a worker", "without a backup", "small", "one by one", "with a lookback"],
)
def test_who_computes_joined_units(shop: Shop, arguments: dict[str, Any], more: str, workers: int) -> None:
    """The first commit, which tells what it reads, is one process's; workers compute later ones, and no temporary table stays."""
    shop.sql(WATCHED.format(type="timestamp", more=more))
    counts = "select order_date, orders from marts.fct_counted order by 1"
    before = shop.sql(counts)
    ended = shop.backfill("fct_counted", **{**DAYS, **arguments})
    assert ended.status == 0, ended.printed
    assert computed(shop) == ["client backend"] * (6 - workers) + ["parallel worker"] * workers
    assert shop.sql(counts) == before
    assert (
        shop.value("select count(*) from marts.fct_counted where computed_by = 'nobody'") == len(before) - 6
    )


def test_a_table_with_a_row_for_each_row(shop: Shop) -> None:
    """Computing it aside would write each row twice, so it is inserted at once."""
    shop.sql(WATCHED.format(type="timestamp", more=LARGE))
    ended = shop.backfill("fct_at_once", **{**DAYS, "column": "event_ts"}, units_per_commit=2)
    assert ended.status == 0, ended.printed
    found = shop.sql("select computed_by, count(*) > 50 from marts.fct_at_once group by 1 order by 1")
    assert found == [("client backend", True), ("nobody", True), (None, True)]


def test_a_role_that_may_make_no_temporary_table(limited: Shop) -> None:
    """It does the same in one process, two units a commit."""
    limited.sql(WATCHED.format(type="timestamp", more=LARGE))
    limited.sql("""
        grant select, insert, delete on all tables in schema marts to limited;
        revoke temporary on database shop from public
    """)
    counts = "select order_date, orders from marts.fct_counted order by 1"
    before = limited.sql(counts)
    arguments = {"model": "fct_counted", **DAYS, "units_per_commit": 2}
    ended = limited.begin_operation("safe_backfill", "--target", "limited", **arguments).ended()
    assert ended.status == 0, ended.printed
    assert ended.printed.count(" +1 ") == 3, ended.printed
    assert computed(limited) == ["client backend"] * 6
    assert limited.sql(counts) == before
