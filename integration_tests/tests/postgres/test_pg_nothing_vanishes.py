"""P6: on Postgres too a unit that had rows and would lose them is not written, and the run stops."""

from __future__ import annotations

from typing import Any

import pytest
from pg_shop import Shop

WINDOW: dict[str, Any] = {
    "start": "2024-03-29",
    "end": "2024-04-02",
    "column": "event_ts",
    "grain": "day",
    "read": "once",
    "run_id": "first",
}
LOST = "event_ts >= timestamp '2024-03-31' and event_ts < timestamp '2024-04-01'"
WAYS: list[dict[str, Any]] = [
    {},
    {"units_per_commit": 4},
    {"worker": "w1"},
    {"worker": "w1", "units_per_commit": 4},
]


@pytest.mark.parametrize("way", WAYS, ids=["one by one", "joined", "worker", "worker, joined"])
@pytest.mark.parametrize(
    ("gone", "message"),
    [("true", "would become empty"), ("event_id % 3 = 0", "would lose")],
    ids=["all rows", "a third"],
)
def test_a_source_that_lost_rows(shop: Shop, way: dict[str, Any], gone: str, message: str) -> None:
    """That day is as it was; a commit that it shares with others is split, and the days before it are done."""
    shop.sql(f"delete from raw.events where {LOST} and {gone}")
    before = shop.rows("fct_merge", LOST)
    ended = shop.backfill("fct_merge", **WINDOW, **way)
    assert ended.status == 1
    assert f"2024-03-31 {message}" in ended.error, ended.printed
    assert shop.rows("fct_merge", LOST) == before
    assert shop.units("first") == ["done", "done", "failed", "planned"]


def test_it_may_where_that_is_said(shop: Shop) -> None:
    """allow_empty lets the day become empty; keep_missing keeps the rows whose key only the table still has."""
    shop.sql(f"delete from raw.events where {LOST}")
    before = shop.rows("fct_merge", LOST)
    ended = shop.backfill("fct_merge", **WINDOW, expect={"keep_missing": True})
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_merge", LOST) == before
    ended = shop.backfill("fct_merge", **{**WINDOW, "run_id": "second"}, expect={"allow_empty": True})
    assert ended.status == 0, ended.printed
    assert not shop.rows("fct_merge", LOST)


ONE_IS_NULL = "case event_id when first then null else amount end"
TWO_ARE_EQUAL = "case when event_id in (first, first + 1) then -1 else amount end"


@pytest.mark.parametrize(
    ("amount", "expect", "broken"),
    [
        (ONE_IS_NULL, {"not_null": ["amount"]}, "expect: not_null amount (1)"),
        (TWO_ARE_EQUAL, {"unique": ["amount"]}, "expect: unique amount (1)"),
        (ONE_IS_NULL, {"sql": "select * from {target} where {unit} and amount is null"}, "expect: sql (1)"),
    ],
    ids=["not_null", "unique", "sql"],
)
def test_expectations(shop: Shop, amount: str, expect: dict[str, Any], broken: str) -> None:
    """One that a unit breaks stops the run before that unit is committed."""
    shop.sql(f"""
        update raw.events set amount = amount + event_id / 1000.0;
        update raw.events set amount = {amount} from (select min(event_id) as first from raw.events where {LOST}) as f where {LOST}
    """)
    before = shop.rows("fct_merge", LOST)
    ended = shop.backfill("fct_merge", **WINDOW, expect=expect)
    assert ended.status == 1
    assert f"2024-03-31 {broken} does not hold" in ended.error, ended.printed
    assert shop.rows("fct_merge", LOST) == before


def test_a_key_that_moved(shop: Shop) -> None:
    """A row that came into the window from a date before it would stand twice: nothing is replaced."""
    shop.sql("update raw.events set event_ts = timestamp '2024-03-31 05:00:00' where event_id = 3")
    before = shop.rows("fct_merge")
    ended = shop.backfill("fct_merge", **WINDOW)
    assert ended.status == 1
    assert ended.error.startswith("BF211: 1 row of the window"), ended.printed
    assert shop.rows("fct_merge") == before
