"""What is read once may be computed by several processes, and holds what the target's own types make of it."""

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
# The query of each statement that may have workers goes to one of them.
# https://www.postgresql.org/docs/18/runtime-config-developer.html#GUC-DEBUG-PARALLEL-QUERY
WATCHED = """
    create function raw.computed_by() returns text language plpgsql parallel safe as
    'begin return (select backend_type from pg_stat_activity where pid = pg_backend_pid()); end';
    alter database shop set debug_parallel_query = on;
    insert into raw.events values (9999, timestamp '2024-03-30 23:59:59.7', 1, 'DE');
    create table marts.fct_at_once (event_id bigint, event_ts {type}, computed_by text);
    insert into marts.fct_at_once select event_id, event_ts, 'nobody' from raw.events
"""


@pytest.mark.parametrize(
    ("type_of_column", "computed_by", "day"),
    [("timestamp", "parallel worker", "2024-03-30"), ("timestamp(0)", "client backend", "2024-03-31")],
    ids=["types of the query", "other types"],
)
def test_who_computes_the_window(shop: Shop, type_of_column: str, computed_by: str, day: str) -> None:
    """A worker of Postgres, but for a target that holds other types: there a row belongs to the unit of what is stored of it."""
    shop.sql(WATCHED.format(type=type_of_column))
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
