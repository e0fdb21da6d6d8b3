"""P5: a live run and a backfill of the same day. Without a guard the rows double; with the two hooks never."""

from __future__ import annotations

import random
import time
from collections import Counter
from typing import Any

import pytest
from pg_shop import ROUNDS, Shop, turn_of, until

# The last day, which the live run writes as well; late rows came for it.
LAST = "order_date = date '2024-05-02'"
WINDOW: dict[str, Any] = {
    "start": "2024-05-01",
    "end": "2024-05-03",
    "column": "order_date",
    "inputs": {"stg_events": "event_ts"},
    "run_id": "beside",
}
DAYS = "order_date >= date '2024-05-01' and order_date < date '2024-05-03'"


def right(shop: Shop, model: str) -> None:
    """The window is that of a full refresh, no row doubled or lost; every other row is as it was."""
    assert shop.rows(model, DAYS) == shop.rows(model, DAYS, "refreshed")
    outside = f"({DAYS}) is not true"
    assert shop.rows(model, outside) == shop.rows(model, outside, "used")


def test_without_a_guard_rows_double(shop: Shop) -> None:
    """What the guard is for: the live run before its commit, other delete and insert beside it; both end well, rows double."""
    with shop.held("2"):
        live = shop.begin("run", "--select", "fct_bare")
        shop.until_waiting(live, "advisory")
        backfill = shop.begin_backfill("fct_bare", live="paused", **WINDOW)
        shop.until_waiting(backfill, "transactionid")
    assert (live.ended().status, backfill.ended().status) == (0, 0), live.printed + backfill.printed
    wanted = shop.rows("fct_bare", LAST, "refreshed")
    assert shop.rows("fct_bare", LAST) == Counter({row: 2 * count for row, count in wanted.items()})


def test_the_live_run_first(shop: Shop) -> None:
    """The live run has written and not committed: the backfill waits for its turn, and writes nothing before it has it."""
    with shop.held("2"):
        live = shop.begin("run", "--select", "fct_daily")
        shop.until_waiting(live, "advisory")
        backfill = shop.begin_backfill("fct_daily", **WINDOW)
        until(lambda: begun(shop), lambda: backfill.printed)
        time.sleep(1)
        assert backfill.is_running()
        assert shop.units("beside") == ["planned", "planned"]
        assert shop.rows("fct_daily") == shop.rows("fct_daily", database="used")
    assert (live.ended().status, backfill.ended().status) == (0, 0), live.printed + backfill.printed
    right(shop, "fct_daily")


def test_the_backfill_first(shop: Shop) -> None:
    """The backfill has deleted and not yet inserted: the live run waits in its pre-hook."""
    with shop.held("1"):
        backfill = shop.begin_backfill("fct_daily", **WINDOW)
        shop.until_waiting(backfill, "advisory")
        live = shop.begin("run", "--select", "fct_daily")
        until(lambda: in_pre_hook(shop) == 1, lambda: live.printed)
        assert shop.rows("fct_daily") == shop.rows("fct_daily", database="used")
    assert (live.ended().status, backfill.ended().status) == (0, 0), live.printed + backfill.printed
    right(shop, "fct_daily")


@pytest.mark.parametrize("round_no", range(ROUNDS))
def test_at_random_moments(shop: Shop, round_no: int) -> None:
    """Both at once, one of them a little later."""
    random_ = random.Random(round_no)  # noqa: S311 - which moment it is does not matter
    begins = [
        lambda: shop.begin("run", "--select", "fct_daily"),
        lambda: shop.begin_backfill("fct_daily", **WINDOW),
    ]
    random_.shuffle(begins)
    first = begins[0]()
    time.sleep(random_.uniform(0, 1.5))
    second = begins[1]()
    assert (first.ended().status, second.ended().status) == (0, 0), first.printed + second.printed
    right(shop, "fct_daily")


def test_a_dead_live_run_blocks_nobody(shop: Shop) -> None:
    """Killed while it has its turn, it leaves no lock: the backfill goes on."""
    with shop.held("2"):
        live = shop.begin("run", "--select", "fct_daily")
        shop.until_waiting(live, "advisory")
        live.kill()
    ended = shop.backfill("fct_daily", **WINDOW)
    assert ended.status == 0, ended.printed
    right(shop, "fct_daily")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"on_conflict": "fail"}, "a backfill is committing a unit of .*; run again in a moment"),
        ({"on_conflict": "wait", "wait_seconds": 0.2}, "has been writing to .* for 0.2 s; run again later"),
    ],
)
def test_the_hook_that_does_not_get_its_turn(shop: Shop, arguments: dict[str, Any], message: str) -> None:
    """It says why, at once or when it has waited; it passes where nobody else has the turn, and leaves lock_timeout as it was."""
    made = shop.operation("hook_sql", **arguments)
    sql = made.printed.strip().splitlines()[-1]
    assert shop.sql(f"begin; set local lock_timeout = '7s'; {sql}; show lock_timeout") == [("7s",)]
    with shop.held(turn_of("fct_daily")), pytest.raises(Exception, match=message):
        shop.sql(sql)


def begun(shop: Shop) -> bool:
    """Whether the run stands in the ledger."""
    return bool(
        shop.value("select to_regclass('marts.backfill_safety_runs') is not null") and shop.units("beside")
    )


def in_pre_hook(shop: Shop) -> int:
    """How many live runs wait in their pre-hook."""
    waits = "wait_event = 'advisory' and query ~ 'has been writing to'"
    count: int = shop.value(f"select count(*) from pg_stat_activity where {waits}")
    return count
