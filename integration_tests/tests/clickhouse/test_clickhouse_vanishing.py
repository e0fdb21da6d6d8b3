"""P6: on ClickHouse a unit is judged before a row of it is written; an empty one is dropped if it may be, and can be brought back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clickhouse_shop import Shop

EMPTY: dict[str, Any] = {"start": "1999-01-01", "end": "1999-01-02", "inputs": {"stg_events": "event_ts"}}
GONE = "order_date = '1999-01-01'"


def test_an_empty_unit(shop: Shop) -> None:
    """Rows of a day that the source does not have: refused, then dropped where that is meant, then undone."""
    shop.restore("fct_day")
    shop.sql("insert into marts.fct_day values ('DE', 3, 4.5, 1.5, null, '1999-01-01')")
    before, parts = shop.rows("fct_day"), shop.parts("fct_day")

    ended = shop.backfill("fct_day", **{**EMPTY, "inputs": {}, "read": "once"})

    assert ended.status == 1
    assert "1999-01-01 would become empty (1 row now)" in ended.error, ended.printed
    assert shop.parts("fct_day") == parts

    ended = shop.backfill("fct_day", run_id="emptied", expect={"allow_empty": True}, **EMPTY)

    assert ended.status == 0, ended.printed
    assert shop.rows("fct_day") == shop.rows("fct_day", schema="used")
    assert {part for part in parts if part[0] != "19990101"} == shop.parts("fct_day")

    ended = shop.operation("rollback_backfill", run_id="emptied")

    assert ended.status == 0, ended.printed
    assert shop.rows("fct_day") == before


def test_a_shrunk_unit(shop: Shop) -> None:
    """Two of fifteen keys would go, and a broken expectation: nothing is written, and the unit before stays done."""
    shop.restore("fct_date")
    days = {"start": "2024-03-28", "end": "2024-03-30", "column_format": "%Y%m%d"}
    parts = shop.parts("fct_date", "partition != '20240328'")

    ended = shop.backfill("fct_date", run_id="shrunk", **days)

    assert ended.status == 1
    assert "would lose 2 of 15 keys and the limit is 5.0 %" in ended.error, ended.printed
    assert shop.units("shrunk") == ["done", "failed"]
    assert shop.parts("fct_date", "partition != '20240328'") == parts

    parts = shop.parts("fct_date")
    broken = {"max_shrink": 1, "sql": "select * from {target} where {unit} and amount < 50"}
    ended = shop.backfill("fct_date", run_id="broken", expect=broken, **days)
    assert ended.status == 1
    assert "does not hold" in ended.error, ended.printed
    assert shop.units("broken") == ["failed", "planned"]
    assert shop.parts("fct_date") == parts
