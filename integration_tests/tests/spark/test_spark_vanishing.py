"""P6: on Spark a unit is judged before a row of it is written; an empty one is dropped if it may be, and can be brought back."""

from __future__ import annotations

from collections import Counter
from typing import Any

from spark_shop import Shop

DAY: dict[str, Any] = {"start": "2024-04-10", "end": "2024-04-11", "inputs": {"stg_events": "event_ts"}}


def test_an_empty_unit(shop: Shop) -> None:
    """Rows of a day that the source no longer has: refused, then dropped where that is meant, then undone."""
    shop.restore("fct_daily")
    shop.sql("insert into marts.fct_daily select 'DE', 3, 4.5, null, date '2024-04-10' from range(1)")
    before, files = shop.rows("fct_daily"), shop.files("fct_daily")

    ended = shop.backfill("fct_daily", **{**DAY, "inputs": {}, "read": "once"})

    assert ended.status == 1
    assert "2024-04-10 would become empty (1 row now)" in ended.error, ended.printed
    assert shop.files("fct_daily") == files

    ended = shop.backfill("fct_daily", run_id="emptied", expect={"allow_empty": True}, **DAY)

    assert ended.status == 0, ended.printed
    assert shop.rows("fct_daily") == before - Counter({("DE", 3, "4.500000", None, "2024-04-10"): 1})
    partitions = [row[0] for row in shop.sql("show partitions marts.fct_daily")]
    assert "order_date=2024-04-03" in partitions
    assert "order_date=2024-04-10" not in partitions

    ended = shop.operation("rollback_backfill", run_id="emptied")

    assert ended.status == 0, ended.printed
    assert shop.rows("fct_daily") == before
    for arguments, left in (({"keep_days": 1}, 1), ({"run_id": "emptied"}, 0)):
        ended = shop.operation("cleanup_backfills", **arguments)
        assert ended.status == 0, ended.printed
        assert len(shop.sql("show tables in marts like 'backfill_safety_*_emptied'")) == left


def test_a_shrunk_unit(shop: Shop) -> None:
    """Two of fifteen keys would go; and a broken expectation: nothing is written, and the unit before stays done."""
    shop.restore("fct_append")
    days = {"start": "2024-03-28", "end": "2024-03-30", "column_format": "%Y%m%d"}
    files = shop.files("fct_append")

    ended = shop.backfill("fct_append", run_id="shrunk", **days)

    assert ended.status == 1
    assert "2024-03-29 would lose 2 of 15 keys and the limit is 5.0 %" in ended.error, ended.printed
    assert shop.units("shrunk") == ["done", "failed"]
    kept = {path: what for path, what in files.items() if not path.startswith("ds=20240328/")}
    assert kept.items() <= shop.files("fct_append").items()

    files = shop.files("fct_append")
    broken = {"max_shrink": 1, "sql": "select * from {target} where {unit} and amount < 50"}
    ended = shop.backfill("fct_append", run_id="broken", expect=broken, **days)
    assert ended.status == 1
    assert "does not hold" in ended.error, ended.printed
    assert shop.units("broken") == ["failed", "planned"]
    assert shop.files("fct_append") == files
