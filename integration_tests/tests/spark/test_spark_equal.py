"""P1, P2 and P8: on Spark a run ends as a full refresh would, again and again, no other partition is touched, and it can be undone."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import pytest
from spark_shop import Shop

INPUT: dict[str, Any] = {"inputs": {"stg_events": "event_ts"}}
DAYS: dict[str, Any] = {"start": "2024-03-29", "end": "2024-03-31"}
DATES = "order_date >= date '2024-03-29' and order_date < date '2024-03-31'"
FEWER: dict[str, Any] = {
    "expect": {"max_shrink": 0.6}
}  # doubled rows go, and two events of the 29th were withdrawn

# name → (model, arguments, the window in SQL, units)
SHAPES: dict[str, tuple[str, dict[str, Any], str, int]] = {
    "a date": ("fct_daily", {**DAYS, **INPUT}, DATES, 2),
    "a text that is a date": (
        "fct_append",
        {**DAYS, "column_format": "%Y%m%d", "read": "once", "order": "descending"},
        "ds in ('20240329', '20240330')",
        2,
    ),
    "an integer": ("fct_range", {"start": 2, "end": 4, "grain": 1}, "part in (2, 3)", 2),
    "a list": (
        "fct_country",
        {"values": ["DE", "O'Neil/ä"]},
        """country in ('DE', "O'Neil/ä")""",
        2,
    ),
    "a month": (
        "fct_month",
        {
            "start": "2024-04-01",
            "end": "2024-05-01",
            "grain": "month",
            "column_format": "%Y-%m",
            "read": "per_unit",
        },
        "month = '2024-04'",
        1,
    ),
    "partitions in partitions": (
        "fct_nested",
        {**DAYS, **INPUT, "column": "order_date", "units_per_commit": 2},
        DATES,
        2,
    ),
}


def spoil(shop: Shop, model: str, window: str) -> None:
    """Doubled rows, and rows with wrong amounts."""
    names = ", ".join(
        "amount + 1000 as amount" if name == "amount" else name for name in columns(shop, model)
    )
    shop.sql(
        f"create table marts.wrong using parquet as select {names} from marts.{model} where {window};\n"
        f"insert into marts.{model} select * from marts.wrong;\ndrop table marts.wrong"
    )


def columns(shop: Shop, model: str) -> list[str]:
    """A table's columns in order."""
    return [row[0] for row in shop.sql(f"describe query select * from marts.{model}")]


def folder(path: str) -> str:
    """The partition of a file."""
    return path.rsplit("/", 1)[0]


def folders(shop: Shop, model: str, window: str) -> set[str]:
    """The partitions that the window has."""
    found = shop.sql(f"select distinct input_file_name() from marts.{model} where {window}")
    return {folder(unquote(uri).split(f"/{model}/", 1)[1]) for (uri,) in found}


@pytest.mark.parametrize("shape", SHAPES)
def test_equal_again_and_back(shop: Shop, shape: str) -> None:
    """Spoiled, reprocessed, undone: each time the rows that must be there; the files of other partitions are the same files."""
    model, arguments, window, count = SHAPES[shape]
    shop.restore(model)
    spoil(shop, model, window)
    before, others = shop.rows(model), shop.rows(model, f"({window}) is not true")
    wanted, files = shop.rows(model, window, "want"), shop.files(model)
    assert shop.rows(model, window) != wanted

    ended = shop.backfill(model, run_id="first", **FEWER, **arguments)

    assert ended.status == 0, ended.printed
    assert shop.units("first") == ["done"] * count
    assert shop.rows(model, window) == wanted
    assert shop.rows(model, f"({window}) is not true") == others
    now = shop.files(model)
    assert {folder(path) for path, what in files.items() if now.get(path) != what} <= folders(
        shop, model, window
    )
    if shape == "a date":
        ended = shop.backfill(model, run_id="second", **arguments)
        assert ended.status == 0, ended.printed
        assert shop.rows(model, window) == wanted
        assert shop.operation("rollback_backfill", run_id="second").status == 0

    ended = shop.operation("rollback_backfill", run_id="first")

    assert ended.status == 0, ended.printed
    assert shop.units("first") == ["rolled back"] * count
    assert shop.rows(model) == before


def test_undo_refuses_what_was_written_later(shop: Shop) -> None:
    """P8: one unit was written to after the run: nothing is undone."""
    shop.restore("fct_daily")
    ended = shop.backfill("fct_daily", run_id="first", **DAYS, **INPUT)
    assert ended.status == 0, ended.printed
    shop.sql("insert into marts.fct_daily select 'XX', 1, 1, null, date '2024-03-30' from range(1)")
    after = shop.rows("fct_daily")
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 1
    assert ended.error.startswith("written to since run first: 2024-03-30; undoing would lose that"), (
        ended.printed
    )
    assert shop.rows("fct_daily") == after
    ended = shop.operation("rollback_backfill", run_id="first", units=["2024-03-29"])
    assert ended.status == 0, ended.printed
    day = "order_date = date '2024-03-29'"
    assert shop.rows("fct_daily", day) == shop.rows("fct_daily", day, "used")


def test_a_new_column(shop: Shop) -> None:
    """A column that the model has got since is added, filled inside of the window, and NULL outside of it."""
    shop.restore("fct_month")
    shop.sql(
        "drop table marts.fct_month;\n"
        "create table marts.fct_month using parquet partitioned by (month) as select event_id, event_ts, month from used.fct_month"
    )
    ended = shop.backfill("fct_month", run_id="first", **SHAPES["a month"][1])
    assert ended.status == 0, ended.printed
    names, window = "event_id, event_ts, amount, month", "month = '2024-04'"
    now, wanted = (
        shop.sql(f"select {names} from {schema}.fct_month where {window} order by 1")
        for schema in ("marts", "want")
    )
    assert now == wanted
    others = f"({window}) is not true"
    assert shop.sql(f"select count(amount), count(*) > 100 from marts.fct_month where {others}") == [
        [0, True]
    ]
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 0, ended.printed
    assert shop.sql("select count(amount), count(*) from marts.fct_month") == [[0, 152]]
