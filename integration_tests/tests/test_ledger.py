"""P10: the ledger says of each unit how often it was tried, when, and what came of it; that of another release is refused."""

from __future__ import annotations

import json
from typing import Any

import bad_calls
import pytest
from shop import Shop

WAREHOUSES = ["duckdb", "postgres"]

WINDOW: dict[str, Any] = {"start": "2024-03-01", "end": "2024-03-05", "column": "order_date"}
# (name, state, attempt, started, finished, in this order, within the run)
TOLD = """
    select
        u.name, u.state, u.attempt, u.started_at is not null, u.finished_at is not null,
        u.started_at <= u.finished_at + interval '1 second',
        u.started_at >= r.started_at - interval '2 seconds'
    from marts.backfill_safety_units as u join marts.backfill_safety_runs as r using (run_id)
    where run_id = 'told' order by unit_no
"""
DAYS = ["2024-03-01", "2024-03-02", "2024-03-03", "2024-03-04"]


@pytest.mark.parametrize(
    "way",
    [
        {},
        {"units_per_commit": 4},
        {"read": "per_unit"},
        {"limits": {"rows": 1000000}},
        {"expect": {"unique": True}},
    ],
    ids=["looking ahead", "joined", "per unit", "one by one", "expecting"],
)
def test_done_and_unchanged(shop: Shop, way: dict[str, Any]) -> None:
    """The first run mends one day, so three hold what they held."""
    assert shop.backfill("fct_daily", run_id="first", **WINDOW).status == 0
    shop.sql("update marts.fct_daily set orders = orders + 1 where order_date = date '2024-03-02'")
    ended = shop.backfill("fct_daily", run_id="told", **{**WINDOW, **way})
    assert ended.status == 0, ended.printed
    states = ["unchanged", "done", "unchanged", "unchanged"]
    assert shop.sql(TOLD) == [
        (day, state, 1, True, True, True, True) for day, state in zip(DAYS, states, strict=True)
    ]
    printed = shop.operation("backfill_status", run_id="told").printed
    assert "1 done, 3 unchanged" in printed
    assert shop.operation("rollback_backfill", run_id="told").status == 0
    assert [state for _, states in shop.runs() for state in states] == ["done"] * 4 + ["rolled back"] * 4


@pytest.mark.parametrize("way", [{}, {"limits": {"rows": 1000000}}], ids=["looking ahead", "one by one"])
def test_failed_and_tried_again(shop: Shop, way: dict[str, Any]) -> None:
    """A day that would become empty fails; asked again it is tried a second time."""
    shop.sql(
        "create table raw.away as select * from raw.events where cast(event_ts as date) = date '2024-03-03'"
    )
    shop.sql("delete from raw.events where cast(event_ts as date) = date '2024-03-03'")
    arguments = {**WINDOW, "read": "per_unit", "run_id": "told", **way}
    assert shop.backfill("fct_daily", **arguments).status == 1
    told = {row[0]: row[2:] for row in shop.sql(TOLD)}
    assert shop.units("told")["2024-03-03"] == "failed"
    assert told["2024-03-03"] == (1, True, True, True, True)
    assert told["2024-03-04"][:3] == (0, False, False)
    shop.sql("insert into raw.events select * from raw.away")
    ended = shop.backfill("fct_daily", **arguments)
    assert ended.status == 0, ended.printed
    assert {row[0]: row[2] for row in shop.sql(TOLD)} == dict(zip(DAYS, [1, 1, 2, 1], strict=True))
    assert all(row[3:] == (True, True, True, True) for row in shop.sql(TOLD))


def test_deferred(shop: Shop) -> None:
    """A day that holds what the live run has not read was tried, and left."""
    shop.sql(
        "insert into raw.events select 7000, 1, 1, timestamp '2024-03-02 10:00:00', timestamp '2025-02-01 00:00:00', 5, 'DE'"
    )
    ended = shop.backfill("fct_loaded", run_id="told", **WINDOW)
    assert shop.units("told")["2024-03-02"] == "deferred", ended.printed
    for row in shop.sql(TOLD):
        assert row[2:] == (1, True, True, True, True), row


def test_the_settings_of_a_run(shop: Shop) -> None:
    """All that was asked for, or what stands for it, and on a resume how it went on."""
    settings = "select settings from marts.backfill_safety_runs"
    given: dict[str, Any] = {
        "run_id": "told",
        "order": "descending",
        "inputs": {"stg_events": {"column": "event_ts", "lookback": "3 days"}},
        **WINDOW,
    }
    shop.backfill("fct_daily", limits={"minutes": 0.0001}, live="running", **given)
    told = json.loads(shop.value(settings))
    assert {name: told[name] for name in ("live", "limits", "order", "units_per_commit", "inputs")} == {
        "live": "running",
        "limits": {"units": 1000, "minutes": 0.0001},
        "order": "descending",
        "units_per_commit": 1,
        "inputs": {"stg_events": {"column": "event_ts", "lookback": "3 days, 0:00:00"}},
    }
    named = "model start end through version values column grain timezone accept reason dry_run format run_id worker"
    assert set(told) | set(named.split()) == set(bad_calls.ARGUMENTS.split(", "))
    assert not set(told) & set(named.split())
    assert shop.backfill("fct_daily", live="paused", pause_seconds=0.01, **given).status == 0
    told = json.loads(shop.value(settings))
    assert (told["live"], told["limits"], told["pause_seconds"]) == ("paused", {"units": 1000}, 0.01)


OTHER_LEDGERS = {
    "a later version": (
        "update marts.backfill_safety_runs set ledger_version = 2",
        "it holds runs of version 2, and this is version 1",
    ),
    "a column more": (
        "alter table marts.backfill_safety_units add column shift bigint",
        "backfill_safety_units has shift",
    ),
    "a column less": (
        "alter table marts.backfill_safety_leases drop column taken_at",
        "backfill_safety_leases lacks taken_at",
    ),
    "another name": (
        "alter table marts.backfill_safety_runs rename column accepted to taken_on",
        "backfill_safety_runs lacks accepted; backfill_safety_runs has taken_on",
    ),
}


@pytest.mark.parametrize(("change", "words"), OTHER_LEDGERS.values(), ids=OTHER_LEDGERS)
def test_a_ledger_of_another_version(shop: Shop, change: str, words: str) -> None:
    """Every operation says so in one line, and leaves all as it is; a ledger in another schema is another one."""
    assert shop.backfill("fct_daily", run_id="told", **WINDOW).status == 0
    shop.sql(change)
    before = shop.checksums()
    for ended in (
        shop.backfill("fct_daily", **WINDOW),
        shop.backfill("fct_daily", dry_run=True, run_id="told", **WINDOW),
        shop.operation("backfill_status"),
        shop.operation("rollback_backfill", run_id="told"),
        shop.operation("cancel_backfill", run_id="told"),
        shop.operation("cleanup_backfills", keep_days=0),
    ):
        assert ended.status == 1
        assert ended.error == (
            f'the ledger "shop"."marts"."backfill_safety_runs" is of another version of backfill_safety ({words}); use the release '
            "that wrote it, or keep a ledger apart: vars: {backfill_safety: {schema: …}}"
        ), ended.printed
    assert shop.checksums() == before
    shop.vars = {"backfill_safety": {"schema": "ops"}}
    assert shop.backfill("fct_daily", **WINDOW).status == 0
