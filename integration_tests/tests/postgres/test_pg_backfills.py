"""P5: backfills beside each other: the lease keeps the second out, ends with its session, expires, and can be taken."""

from __future__ import annotations

import json
import os
import signal
import time
from typing import Any

import pytest
from pg_shop import Running, Shop, turn_of, until

WINDOW: dict[str, Any] = {
    "start": "2024-03-30",
    "end": "2024-04-03",
    "column": "order_date",
    "inputs": {"stg_events": "event_ts"},
    "run_id": "first",
}
LATER: dict[str, Any] = {**WINDOW, "start": "2024-04-01", "end": "2024-04-05", "run_id": "second"}
DAYS = "order_date >= date '2024-03-30' and order_date < date '2024-04-03'"
ALL_DAYS = "order_date >= date '2024-03-30' and order_date < date '2024-04-05'"


def right(shop: Shop, days: str) -> None:
    """These days are as a full refresh has them, all others as they were."""
    assert shop.rows("fct_daily", days) == shop.rows("fct_daily", days, "refreshed")
    assert shop.rows("fct_daily", f"not ({days})") == shop.rows("fct_daily", f"not ({days})", "used")


def lend(shop: Shop, holder: str, minutes: int) -> None:
    """A finished run, and then a lease on its table that somebody else holds for some minutes yet."""
    ended = shop.backfill("fct_daily", **{**LATER, "run_id": "earlier"})
    assert ended.status == 0, ended.printed
    shop.sql(f"""
        insert into marts.backfill_safety_leases
        select relation, '{holder}', now(), timezone('UTC', clock_timestamp()) + interval '{minutes} minutes'
        from marts.backfill_safety_runs
    """)


def alive(holder: str) -> str:
    """The advisory lock by which the session of a lease shows that it lives."""
    return f"hashtextextended('backfill_safety holder {holder}', 0)"


def test_overlapping_windows(shop: Shop) -> None:
    """The first stands in the middle of a commit: the second is refused in one line, and done when it asks again."""
    with shop.held("1"):
        first = shop.begin_backfill("fct_daily", **WINDOW)
        shop.until_waiting(first, "advisory")
        second = shop.backfill("fct_daily", **LATER)
        assert second.status == 1
        assert second.error.startswith(
            'another backfill of "shop"."marts"."fct_daily" is running (lease until 20'
        ), second.printed
        assert second.error.endswith(" UTC); wait for it, or see backfill_status")
    assert first.ended().status == 0, first.printed
    right(shop, DAYS)
    ended = shop.backfill("fct_daily", **LATER)
    assert ended.status == 0, ended.printed
    right(shop, ALL_DAYS)


def test_begun_together(shop: Shop) -> None:
    """Both make the ledger and ask for the lease at once: one has it; the other is refused, or comes after it."""
    both = [shop.begin_backfill("fct_daily", **WINDOW), shop.begin_backfill("fct_daily", **LATER)]
    ends = [running.ended() for running in both]
    assert 0 in [ended.status for ended in ends], ends[0].printed + ends[1].printed
    for ended, window in zip(ends, (WINDOW, LATER), strict=True):
        if ended.status:
            assert "is running (lease until" in ended.error, ended.printed
            assert shop.backfill("fct_daily", **window).status == 0
    right(shop, ALL_DAYS)


def test_a_lease_that_somebody_holds(shop: Shop) -> None:
    """Refused while its session lives and it has not expired; taken over when it has expired, or the session has ended."""
    lend(shop, "somebody", minutes=10)
    with shop.held(alive("somebody")):
        refused = shop.backfill("fct_daily", **WINDOW)
        assert refused.status == 1
        assert "is running (lease until" in refused.error, refused.printed
        shop.sql("update marts.backfill_safety_leases set expires_at = expires_at - interval '11 minutes'")
        ended = shop.backfill("fct_daily", **WINDOW)
        assert ended.status == 0, ended.printed
    right(shop, ALL_DAYS)


def test_a_lease_of_a_dead_session(shop: Shop) -> None:
    """Nobody waits for it to expire."""
    lend(shop, "nobody", minutes=10)
    ended = shop.backfill("fct_daily", **WINDOW)
    assert ended.status == 0, ended.printed
    right(shop, ALL_DAYS)


def test_a_late_waker_cannot_commit(shop: Shop) -> None:
    """Its lease was taken between two of its commits: it writes nothing more and says so."""
    with shop.held(turn_of("fct_daily")):
        late = shop.begin_backfill("fct_daily", **WINDOW)
        until(
            lambda: shop.value("select to_regclass('marts.backfill_safety_leases') is not null"),
            lambda: late.printed,
        )
        until(lambda: shop.units("first") == ["planned"] * 4, lambda: late.printed)
        shop.sql("update marts.backfill_safety_leases set holder = 'thief'")
    ended = late.ended()
    assert ended.status == 1
    assert ended.error == (
        "run first is incomplete: 0 of 4 days done; 2024-03-30 was not written: the lease has been taken by another backfill"
    ), ended.printed
    assert shop.rows("fct_daily") == shop.rows("fct_daily", database="used")
    assert shop.value("select holder from marts.backfill_safety_leases") == "thief"


def pause_after_a_unit(shop: Shop, running: Running) -> None:
    """SIGSTOP, once the run has done the first of its units."""
    until(
        lambda: (
            shop.value("select to_regclass('marts.backfill_safety_units') is not null")
            and "done" in shop.units("first")
        ),
        lambda: running.printed,
    )
    os.kill(running.pid, signal.SIGSTOP)


@pytest.mark.parametrize("worker", [None, "w1"])
def test_a_process_that_is_paused(shop: Shop, worker: str | None) -> None:
    """Stopped between two commits until its lease is void; what others wrote meanwhile is kept when it goes on."""
    window = WINDOW if worker is None else {**WINDOW, "worker": worker}
    late = shop.begin_backfill("fct_daily", pause_seconds=2, **window)
    pause_after_a_unit(shop, late)
    try:
        assert shop.units("first") == ["done"] + ["planned"] * 3
        refused = shop.backfill("fct_daily", **{**WINDOW, "run_id": "second"})
        assert "is running (lease until" in refused.error, refused.printed
        shop.sql("update marts.backfill_safety_leases set expires_at = expires_at - interval '16 minutes'")
        ended = shop.backfill("fct_daily", **{**WINDOW, "run_id": "second"})
        assert ended.status == 0, ended.printed
        right(shop, DAYS)
        shop.sql("update marts.fct_daily set orders = 77 where order_date = date '2024-04-01'")
        after = shop.rows("fct_daily")
    finally:
        os.kill(late.pid, signal.SIGCONT)
    ended = late.ended()
    assert ended.status == 1
    assert ended.error.startswith("run first is incomplete: 1 of 4 days done; "), ended.printed
    assert ended.error.endswith("the lease has been taken by another backfill"), ended.printed
    assert shop.units("first") == ["done"] + ["planned"] * 3
    assert shop.rows("fct_daily") == after


def test_a_late_waker_says_nothing_of_a_run_that_another_goes_on_with(shop: Shop) -> None:
    """Its own run was taken up and ended meanwhile: the ledger stays as it is, and an undo gives back each old row once."""
    late = shop.begin_backfill("fct_daily", pause_seconds=1, **WINDOW)
    pause_after_a_unit(shop, late)
    try:
        shop.sql("update marts.backfill_safety_leases set expires_at = expires_at - interval '16 minutes'")
        assert shop.backfill("fct_daily", **WINDOW).status == 0
    finally:
        os.kill(late.pid, signal.SIGCONT)
    ended = late.ended()
    assert ended.status == 1
    assert ended.error.endswith("the lease has been taken by another backfill"), ended.printed
    assert shop.sql("select state from marts.backfill_safety_runs") == [("done",)]
    assert shop.units("first") == ["done"] * 4
    right(shop, DAYS)
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_daily") == shop.rows("fct_daily", database="used")


def test_a_lease_lasts_from_the_end_of_each_commit(shop: Shop) -> None:
    """However long a commit took, fifteen minutes are left after it."""
    with shop.held("1"):
        running = shop.begin_backfill("fct_daily", pause_seconds=60, **WINDOW)
        shop.until_waiting(running, "advisory")
        time.sleep(2)
        released = shop.value("select timezone('UTC', clock_timestamp())")
    until(lambda: "done" in shop.units("first"), lambda: running.printed)
    left = shop.value(
        f"select extract(epoch from expires_at - timestamp '{released}') from marts.backfill_safety_leases"
    )
    assert left >= 15 * 60
    running.kill()


def test_status_and_cancel_from_a_second_session(shop: Shop) -> None:
    """Cancel takes effect at the commit that is under way: that one is kept, no other is begun."""
    with shop.held("1"):
        running = shop.begin_backfill("fct_daily", **WINDOW)
        shop.until_waiting(running, "advisory")
        [status] = json.loads(
            shop.operation("backfill_status", format="json").printed.strip().splitlines()[-1]
        )
        assert (status["state"], status["counts"]) == ("running", {"planned": 4})
        cancelled = shop.operation("cancel_backfill", run_id="first")
        assert cancelled.status == 0, cancelled.printed
        assert "it stops after the commit that is under way" in cancelled.printed
    ended = running.ended()
    assert ended.status == 1
    assert ended.error == "run first is cancelled: 1 of 4 days done; it was cancelled", ended.printed
    assert shop.units("first") == ["done"] + ["planned"] * 3
    right(shop, "order_date = date '2024-03-30'")
    assert shop.value("select count(*) from marts.backfill_safety_leases") == 0


def test_what_was_written_after_the_reading_is_kept(shop: Shop) -> None:
    """Read once, then another writer: its day is left as it is and told; asked again, it is read anew."""
    wrote = "order_date = date '2024-03-31' and country = 'DE'"
    with shop.held(turn_of("fct_daily")):
        running = shop.begin_backfill(
            "fct_daily", **{**WINDOW, "inputs": {}, "read": "once", "units_per_commit": 2}
        )
        until(
            lambda: shop.value("select to_regclass('marts.backfill_safety_rows_first') is not null"),
            lambda: running.printed,
        )
        shop.sql(f"update marts.fct_daily set orders = 77 where {wrote}")
    ended = running.ended()
    assert ended.status == 1
    assert "1 deferred (2024-03-31)" in ended.error, ended.printed
    assert "was written to since its rows were read" in ended.printed
    assert shop.value(f"select orders from marts.fct_daily where {wrote}") == 77
    assert shop.units("first") == ["done", "deferred", "done", "done"]
    ended = shop.backfill("fct_daily", **{**WINDOW, "inputs": {}, "read": "once", "units_per_commit": 2})
    assert ended.status == 0, ended.printed
    right(shop, DAYS)


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        (
            "run",
            "run first is incomplete: 0 of 4 days done; 2024-03-30 was not written: the live run has held its turn for 1 s",
        ),
        (
            "worker",
            "run first is incomplete: 0 of 4 days done; the live run has held its turn for 1 s; ask again",
        ),
        (
            "undo",
            'the live run of "shop"."marts"."fct_daily" has held its turn for 1 s; '
            "2024-04-02 and older units are left as they are. Ask again",
        ),
    ],
)
def test_a_turn_that_is_never_had(shop: Shop, kind: str, line: str) -> None:
    """It is given up after two minutes, or as long as the project says: nothing was written, and the same call goes on later."""
    name, arguments = "safe_backfill", {**WINDOW, "model": "fct_daily"}
    if kind == "worker":
        arguments["worker"] = "w1"
    elif kind == "undo":
        assert shop.backfill("fct_daily", **WINDOW).status == 0
        name, arguments = "rollback_backfill", {"run_id": "first"}
    before = shop.rows("fct_daily")
    with shop.held(turn_of("fct_daily")):
        ended = shop.begin_operation(
            name, "--vars", '{"backfill_safety": {"turn_seconds": 1}}', **arguments
        ).ended()
    assert ended.status == 1
    assert ended.error == line, ended.printed
    assert shop.rows("fct_daily") == before
    ended = shop.operation(name, **arguments)
    assert ended.status == 0, ended.printed
    if kind == "undo":
        assert shop.rows("fct_daily") == shop.rows("fct_daily", database="used")
    else:
        right(shop, DAYS)


def test_an_undo_takes_its_turn(shop: Shop) -> None:
    """While a live run writes, the undo waits; nothing is undone before it has its turn."""
    assert shop.backfill("fct_daily", **WINDOW).status == 0
    after = shop.rows("fct_daily")
    with shop.held(turn_of("fct_daily")):
        undo = shop.begin_operation("rollback_backfill", run_id="first")
        until(
            lambda: shop.value("select count(*) from marts.backfill_safety_leases") == 1, lambda: undo.printed
        )
        time.sleep(1)
        assert undo.is_running(), undo.printed
        assert shop.rows("fct_daily") == after
    assert undo.ended().status == 0, undo.printed
    assert shop.rows("fct_daily") == shop.rows("fct_daily", database="used")
