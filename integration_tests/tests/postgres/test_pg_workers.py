"""P3, P5 and P9: several workers share one run: each unit is done once, a dead one's are taken over, and what holds, holds for all."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from pg_shop import ROUNDS, Running, Shop, turn_of, until
from shop import Ended

WINDOW: dict[str, Any] = {
    "start": "2024-03-20",
    "end": "2024-04-29",
    "column": "order_date",
    "inputs": {"stg_events": "event_ts"},
    "run_id": "shared",
}
DAYS = "order_date >= date '2024-03-20' and order_date < date '2024-04-29'"
UNITS = 40
GOES_ON = "other workers of run shared go on and end it"


def workers(shop: Shop, count: int = 4, **changed: Any) -> list[Running]:
    """Begin so many workers at once."""
    return [
        shop.begin_backfill("fct_daily", worker=f"w{number}", **{**WINDOW, **changed})
        for number in range(count)
    ]


def together(shop: Shop, count: int, **changed: Any) -> list[Ended]:
    """So many workers begun at once; none has its turn before all have joined. Their ends."""
    with shop.held(turn_of("fct_daily")):
        begun = workers(shop, count, **changed)
        until(lambda: alive(shop) == count, lambda: told_yet(begun))
    return [running.ended() for running in begun]


def told(ends: list[Ended]) -> str:
    """What all of them have printed."""
    return "\n".join(f"exit {ended.status}: {ended.printed}" for ended in ends)


def right(shop: Shop) -> None:
    """The window is that of a full refresh, all else as it was; and each unit's old rows were kept once, so it was done once."""
    assert shop.rows("fct_daily", DAYS) == shop.rows("fct_daily", DAYS, "refreshed")
    assert shop.rows("fct_daily", f"not ({DAYS})") == shop.rows("fct_daily", f"not ({DAYS})", "used")
    assert shop.units("shared") == ["done"] * UNITS
    assert shop.rows("backfill_safety_backup_shared") == shop.rows("fct_daily", DAYS, "used")
    assert shop.value("select count(*) from marts.backfill_safety_leases") == 0


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"read": "once", "inputs": {}, "order": "descending", "units_per_commit": 3},
    ],
    ids=["per unit", "read once, joined, newest first"],
)
def test_four_at_once(shop: Shop, changed: dict[str, Any]) -> None:
    """Begun at the same moment, with no ledger yet: one makes the run; every unit is done by one of them, and once."""
    ends = together(shop, 4, pause_seconds=0.2, **changed)
    assert [ended.status for ended in ends] == [0] * 4, told(ends)
    right(shop)
    shares = shop.sql("select worker, count(*) from marts.backfill_safety_units group by 1 order by 1")
    assert len(shares) > 1, shares  # one that is slow to start may find nothing left
    assert sum("done      40 of 40 days" in ended.printed for ended in ends) == 1, told(ends)
    assert sum(GOES_ON in ended.printed for ended in ends) == 3, told(ends)
    assert shop.value("select state from marts.backfill_safety_runs") == "done"
    assert shop.operation("rollback_backfill", run_id="shared").status == 0
    assert shop.rows("fct_daily") == shop.rows("fct_daily", database="used")


def test_a_dead_workers_units_are_taken_over(shop: Shop) -> None:
    """Killed in the middle of a commit; the others do that unit too and end the run."""
    with shop.held("1"):
        begun = workers(shop, 3)
        until(lambda: in_commit(shop) == 3, lambda: told_yet(begun))
        begun[1].kill()
    ends = [begun[0].ended(), begun[2].ended()]
    assert [ended.status for ended in ends] == [0, 0], told(ends)
    right(shop)
    assert shop.value("select count(*) from marts.backfill_safety_units where worker = 'w1'") == 0


def test_all_dead_and_asked_again(shop: Shop) -> None:
    """Nobody is left: a single call with the run's id finishes it, and so would workers; finished units are not redone."""
    begun = workers(shop, 2, pause_seconds=0.1)
    until(lambda: progress(shop) >= 6, lambda: told_yet(begun))
    for running in begun:
        running.kill()
    shop.until_gone()
    done = finished(shop)
    ends = [running.ended() for running in workers(shop, 2)]
    assert [ended.status for ended in ends] == [0, 0], told(ends)
    right(shop)
    assert finished(shop)[: len(done)] == done


def test_limits_hold_over_all(shop: Shop) -> None:
    """Four workers stop at one limit of rows, after the commits under way; asked again, they go on."""
    ends = together(shop, 4, pause_seconds=0.1, limits={"rows": 40}, accept={"BF505": "to stop it"})
    assert all(ended.status == 1 for ended in ends), told(ends)
    assert all("the limit of 40 rows is reached" in ended.printed for ended in ends), told(ends)
    written = shop.value("select sum(rows_inserted) from marts.backfill_safety_units")
    largest = shop.value("select max(rows_inserted) from marts.backfill_safety_units")
    assert 40 < written <= 40 + 4 * largest
    assert shop.value("select state from marts.backfill_safety_runs") == "incomplete"
    ends = [running.ended() for running in workers(shop, 2)]
    assert [ended.status for ended in ends] == [0, 0], told(ends)
    right(shop)


def test_cancel_stops_all(shop: Shop) -> None:
    """At the commits under way."""
    with shop.held("1"):
        begun = workers(shop, 3)
        until(lambda: in_commit(shop) == 3, lambda: told_yet(begun))
        cancelled = shop.operation("cancel_backfill", run_id="shared")
        assert "it stops after the commit that is under way" in cancelled.printed
    ends = [running.ended() for running in begun]
    assert all(ended.status == 1 for ended in ends), told(ends)
    assert shop.value("select state from marts.backfill_safety_runs") == "cancelled"
    assert progress(shop) == 3
    assert shop.value("select count(*) from marts.backfill_safety_leases") == 0


def test_a_unit_that_may_not_stand_stops_all(shop: Shop) -> None:
    """One worker meets it; the others stop after the commits under way, and all say which unit it was."""
    shop.sql("delete from raw.events where event_ts::date = '2024-03-25'")
    ends = together(shop, 3)
    assert all(ended.status == 1 for ended in ends), told(ends)
    assert all("2024-03-25 would become empty" in ended.error for ended in ends), told(ends)
    assert shop.units("shared")[5] == "failed"
    assert progress(shop) < UNITS - 1
    where = "order_date = date '2024-03-25'"
    assert shop.rows("fct_daily", where) == shop.rows("fct_daily", where, "used")


def test_an_error_of_the_engine_stops_all(shop: Shop) -> None:
    """What the SQL gives cannot be written: that unit is failed, with Postgres's words, and nobody tries it again."""
    shop.sql("alter table marts.fct_daily add constraint small check (orders < 5) not valid")
    ends = together(shop, 2)
    assert all(ended.status == 1 for ended in ends), told(ends)
    assert all('violates check constraint "small"' in ended.error for ended in ends), told(ends)
    assert shop.units("shared").count("failed") in (1, 2)
    assert shop.value("select state from marts.backfill_safety_runs") == "failed"


def test_who_may_join(shop: Shop) -> None:
    """While two work: a worker with other code or another window, and a backfill without the run's id, are refused in one line."""
    with shop.held("1"):
        begun = workers(shop, 2)
        until(lambda: in_commit(shop) == 2, lambda: told_yet(begun))
        edited = shop.backfill("fct_daily", worker="w9", **{**WINDOW, "where": {"country": "DE"}})
        assert edited.status == 1
        assert edited.error.startswith("run shared began with other code or settings"), edited.printed
        other = shop.backfill("fct_daily", worker="w9", **{**WINDOW, "end": "2024-04-01"})
        assert other.status == 1
        assert other.error.startswith(
            "run_id 'shared' is a run of model.pg_shop.fct_daily from 2024-03-20"
        ), other.printed
        single = shop.backfill("fct_daily", **{**WINDOW, "run_id": "single"})
        assert single.status == 1
        assert single.error.startswith('another backfill of "shop"."marts"."fct_daily" is running'), (
            single.printed
        )
        again = shop.backfill("fct_daily", **WINDOW)
        assert again.status == 1
        assert "is running (lease until" in again.error, again.printed
        begun.append(shop.begin_backfill("fct_daily", worker="late", **WINDOW))
        until(lambda: in_commit(shop) == 3, lambda: told_yet(begun))
    ends = [running.ended() for running in begun]
    assert [ended.status for ended in ends] == [0] * 3, told(ends)
    right(shop)


def test_no_commit_beside_a_live_run(shop: Shop) -> None:
    """A live run that has written and not committed keeps all workers waiting; then both are right."""
    window = {"start": "2024-04-01", "end": "2024-05-03"}
    with shop.held("2"):
        live = shop.begin("run", "--select", "fct_daily")
        shop.until_waiting(live, "advisory")
        begun = workers(shop, 2, **window)
        until(lambda: planned(shop) == 32, lambda: told_yet(begun))
        assert shop.rows("fct_daily") == shop.rows("fct_daily", database="used")
        assert all(running.is_running() for running in begun), told_yet(begun)
        assert progress(shop) == 0
    ends = [running.ended() for running in [live, *begun]]
    assert [ended.status for ended in ends] == [0] * 3, told(ends)
    days = "order_date >= date '2024-04-01'"
    assert shop.rows("fct_daily", days) == shop.rows("fct_daily", days, "refreshed")


@pytest.mark.parametrize("round_no", range(ROUNDS))
def test_at_random_moments(shop: Shop, round_no: int) -> None:
    """Workers are killed and others come, a live run begins among them; whoever asks last finds all as it must be."""
    random_ = random.Random(round_no)  # noqa: S311 - which moment it is does not matter
    last_days = {**WINDOW, "start": "2024-04-13", "end": "2024-05-03", "pause_seconds": 0.02}
    begun = [shop.begin_backfill("fct_daily", worker=f"w{number}", **last_days) for number in range(3)]
    moments = ["kill", "kill", "join", "live"]
    random_.shuffle(moments)
    live: Running | None = None
    for number, moment in enumerate(moments):
        time.sleep(random_.uniform(0, 0.5))
        if moment == "kill":
            random_.choice(begun).kill()
        elif moment == "join":
            begun.append(shop.begin_backfill("fct_daily", worker=f"late{number}", **last_days))
        else:
            live = shop.begin("run", "--select", "fct_daily")
    assert live is not None
    assert live.ended().status == 0, live.printed
    for running in begun:
        running.ended()
    shop.until_gone()
    if not ledger(shop) or shop.value("select state from marts.backfill_safety_runs") != "done":
        ended = shop.backfill("fct_daily", worker="last", **last_days)
        assert ended.status == 0, ended.printed
    days = "order_date >= date '2024-04-13'"
    assert shop.rows("fct_daily", days) == shop.rows("fct_daily", days, "refreshed")
    assert shop.rows("fct_daily", f"not ({days})") == shop.rows("fct_daily", f"not ({days})", "used")
    assert shop.units("shared") == ["done"] * 20
    earlier = "order_date < date '2024-05-02'"
    assert shop.rows("backfill_safety_backup_shared", earlier) == shop.rows(
        "fct_daily", f"{days} and {earlier}", "used"
    )


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"run_id": None}, "worker needs run_id, the name of the run that the workers share"),
        ({"worker": "a b"}, "worker 'a b' must be 1 to 64 letters, digits, dots, dashes or underscores"),
        (
            {"branch": "live"},
            "worker cannot be used: each unit of fct_daily reads the units before it (the live branch)",
        ),
    ],
)
def test_bad_calls(shop: Shop, changed: dict[str, Any], message: str) -> None:
    """One line each, and nothing is written."""
    arguments = {k: v for k, v in {**WINDOW, "worker": "w1", **changed}.items() if v is not None}
    ended = shop.backfill("fct_daily", **arguments)
    assert ended.status == 1
    assert ended.error.startswith(message), ended.printed
    assert shop.value("select to_regclass('marts.backfill_safety_runs') is null")


def in_commit(shop: Shop) -> int:
    """How many workers stand at the gate in the model's SQL, in a commit."""
    count: int = shop.value(
        "select count(*) from pg_stat_activity where wait_event = 'advisory' and backend_xid is not null"
    )
    return count


def alive(shop: Shop) -> int:
    """How many workers have joined and not left."""
    count: int = shop.value(
        "select count(*) from pg_locks where locktype = 'advisory' and mode = 'ShareLock'"
    )
    return count


def planned(shop: Shop) -> int:
    """How many units the ledger has."""
    return len(shop.units("shared")) if ledger(shop) else 0


def progress(shop: Shop) -> int:
    """How many units are done."""
    return shop.units("shared").count("done") if ledger(shop) else 0


def ledger(shop: Shop) -> bool:
    """Whether there is one."""
    return bool(shop.value("select to_regclass('marts.backfill_safety_runs') is not null"))


def finished(shop: Shop) -> list[tuple[Any, ...]]:
    """The finished units with when they were, oldest first."""
    return shop.sql(
        "select finished_at, unit_no from marts.backfill_safety_units where state in ('done', 'unchanged') order by 1, 2"
    )


def told_yet(begun: list[Running]) -> str:
    """What all of them have printed up to now."""
    return "\n".join(running.printed for running in begun)


def test_who_finds_no_free_unit_says_what_it_waits_for(shop: Shop) -> None:
    """One is in its commit of the only day; the other waits, says so after some seconds, and ends when that is done."""
    day = {"end": "2024-03-21"}
    with shop.held("1"):
        busy = shop.begin_backfill("fct_daily", worker="w0", **{**WINDOW, **day})
        shop.until_waiting(busy, "advisory")
        idle = shop.begin_backfill("fct_daily", worker="w1", **{**WINDOW, **day})
        until(lambda: "waits     for 1 day that other workers are at" in idle.printed, lambda: idle.printed)
    assert (busy.ended().status, idle.ended().status) == (0, 0), busy.printed + idle.printed
    assert shop.units("shared") == ["done"]
