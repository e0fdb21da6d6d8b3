"""P3: killed, client or server, the same call resumes at once and ends as if nothing had been."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from pg_shop import ROUNDS, Shop, turn_of, until

WINDOW: dict[str, Any] = {
    "start": "2024-03-28",
    "end": "2024-04-06",
    "column": "order_date",
    "inputs": {"stg_events": "event_ts"},
}
DAYS = "order_date >= date '2024-03-28' and order_date < date '2024-04-06'"


def resumed(shop: Shop) -> None:
    """No day is half-written; then the same call finishes the run, redoes nothing, and all is as a full refresh has it."""
    shop.until_gone()
    for day in shop.sql(f"select distinct order_date from marts.fct_daily where {DAYS}"):
        where = f"order_date = date '{day[0]}'"
        assert shop.rows("fct_daily", where) in (
            shop.rows("fct_daily", where, "used"),
            shop.rows("fct_daily", where, "refreshed"),
        ), day
    done = finished(shop)
    ended = shop.backfill("fct_daily", **WINDOW)
    assert ended.status == 0, ended.printed
    assert [row for row in done if row not in finished(shop)] == []
    assert shop.rows("fct_daily", DAYS) == shop.rows("fct_daily", DAYS, "refreshed")
    assert shop.rows("fct_daily", f"not ({DAYS})") == shop.rows("fct_daily", f"not ({DAYS})", "used")


def finished(shop: Shop) -> list[tuple[Any, ...]]:
    """The finished units of all runs, with when they were."""
    if shop.value("select to_regclass('marts.backfill_safety_runs') is null"):
        return []
    return shop.sql(
        "select run_id, unit_no, finished_at from marts.backfill_safety_units where state in ('done', 'unchanged')"
    )


def test_in_the_middle_of_a_commit(shop: Shop) -> None:
    """After the delete, before the insert."""
    with shop.held("1"):
        running = shop.begin_backfill("fct_daily", **WINDOW)
        shop.until_waiting(running, "advisory")
        running.kill()
    resumed(shop)


def test_between_two_commits(shop: Shop) -> None:
    """While it waits for its turn."""
    with shop.held(turn_of("fct_daily")):
        running = shop.begin_backfill("fct_daily", **WINDOW)
        until(
            lambda: shop.value("select to_regclass('marts.backfill_safety_runs') is not null"),
            lambda: running.printed,
        )
        until(
            lambda: shop.value("select count(*) from marts.backfill_safety_units") == 9,
            lambda: running.printed,
        )
        running.kill()
        shop.until_gone()
        resume = shop.begin_backfill("fct_daily", **WINDOW)
    assert resume.ended().status == 0, resume.printed
    resumed(shop)


@pytest.mark.parametrize("round_no", range(ROUNDS))
def test_at_random_moments(shop: Shop, round_no: int) -> None:
    """Some time after its first commit."""
    running = shop.begin_backfill("fct_daily", pause_seconds=0.05, **WINDOW)
    until(lambda: bool(finished(shop)) or not running.is_running(), lambda: running.printed)
    time.sleep(random.Random(round_no).uniform(0, 0.4))  # noqa: S311 - which moment it is does not matter
    running.kill()
    resumed(shop)


def test_the_server_dies(shop: Shop) -> None:
    """In the middle of a commit: the client ends with an error; the started server has forgotten that commit."""
    with shop.held("1"):
        running = shop.begin_backfill("fct_daily", **WINDOW)
        shop.until_waiting(running, "advisory")
        shop.server.crash()
    try:
        ended = running.ended()
    finally:
        shop.server.start()
    assert ended.status != 0, ended.printed
    resumed(shop)


@pytest.mark.parametrize("round_no", range(ROUNDS))
def test_the_server_is_killed_at_random_moments(shop: Shop, round_no: int) -> None:
    """`kill -9` of its first process, some time after the plan or between commits; then it is started again."""
    moment = random.Random(round_no)  # noqa: S311 - which moment it is does not matter
    running = shop.begin_backfill("fct_daily", pause_seconds=0.05, **WINDOW)
    if moment.random() < 0.7:  # the others are killed while the run is planned, or begun
        until(lambda: bool(finished(shop)) or not running.is_running(), lambda: running.printed)
    time.sleep(moment.uniform(0, 0.5))
    shop.server.kill()
    try:
        ended = running.ended()
    finally:
        shop.server.start()
    assert ended.status != 0 or len(finished(shop)) == 9, ended.printed
    resumed(shop)
