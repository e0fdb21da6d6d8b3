"""P5: a window that ends before what the live run writes needs no guard; one that reaches it does, or where it is not known."""

from __future__ import annotations

import json
import random
import time
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from pg_shop import ROUNDS, Shop

OLD: dict[str, Any] = {
    "start": "2024-03-30",
    "end": "2024-04-02",
    "column": "order_date",
    "inputs": {"stg_events": "event_ts"},
}
DAYS = "order_date >= date '2024-03-30' and order_date < date '2024-04-02'"
LAST = "order_date = date '2024-05-02'"


def live_run(shop: Shop, model: str, **window: Any) -> tuple[str, Any]:
    """What the plan says of the live run: the message of BF304, empty where there is none, and the live edge."""
    printed = shop.backfill(model, dry_run=True, format="json", **window).printed
    plan = json.loads(next(line for line in printed.splitlines() if line.startswith("{")))
    messages = [finding["message"] for finding in plan["findings"] if finding["code"] == "BF304"]
    return "".join(messages), plan["summary"]["live_edge"]


@pytest.mark.parametrize("round_no", range(max(ROUNDS // 5, 1)))
def test_a_live_run_beside_an_old_window(shop: Shop, round_no: int) -> None:
    """Neither of the two is guarded, neither waits, and both are right: they write different days."""
    backfill = shop.begin_backfill("fct_bare", pause_seconds=0.2, **OLD)
    time.sleep(random.Random(round_no).uniform(0, 0.6))  # noqa: S311 - which moment it is does not matter
    live = shop.run("run", "--select", "fct_bare")
    ended = backfill.ended()
    assert (live.status, ended.status) == (0, 0), live.printed + ended.printed
    assert (
        "live      the live run writes order_date from 2024-05-02 on; this window ends before that"
        in ended.printed
    )
    written = f"({DAYS}) or {LAST}"
    assert shop.rows("fct_bare", written) == shop.rows("fct_bare", written, "refreshed")
    assert shop.rows("fct_bare", f"not ({written})") == shop.rows("fct_bare", f"not ({written})", "used")


def test_a_window_that_reaches_the_live_edge(shop: Shop) -> None:
    """The day of the edge is the live run's; the day before it is not."""
    reaching = {**OLD, "start": "2024-05-01", "end": "2024-05-03"}
    assert live_run(shop, "fct_bare", **reaching) == (
        "the live run of fct_bare writes order_date from 2024-05-02 on, which this window reaches",
        {"text": "2024-05-02", "ends_before": False},
    )
    ended = shop.backfill("fct_bare", **reaching)
    assert "end the window before that, or add the guard hooks" in ended.printed
    assert ended.status == 1
    before = {**reaching, "end": "2024-05-02"}
    assert live_run(shop, "fct_bare", **before) == ("", {"text": "2024-05-02", "ends_before": True})


def test_a_filter_of_a_part_of_the_rows(shop: Shop) -> None:
    """The other part is written anew by each live run: where that begins is not known."""
    message, edge = live_run(shop, "fct_half", **{**OLD, "column": "event_ts"})
    assert (message, edge) == (
        "the live run of fct_half may write into this window while it is replaced",
        None,
    )


def test_an_empty_table_has_no_edge(shop: Shop) -> None:
    """A live run would fill it from the beginning."""
    shop.sql("truncate marts.fct_bare")
    message, edge = live_run(shop, "fct_bare", **OLD)
    assert (message, edge) == (
        "the live run of fct_bare may write into this window while it is replaced",
        None,
    )


def test_batches_that_a_live_run_does(shop: Shop) -> None:
    """Of a microbatch model today's and yesterday's, by dbt's own default of one batch that it looks back."""
    shop.sql("create table marts.fct_batch as select event_id, event_ts, amount from raw.events")
    today = datetime.now(timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    edge = str(today - timedelta(days=1))
    window = {"start": "2024-03-30", "end": "2024-04-02"}
    assert live_run(shop, "fct_batch", **window) == ("", {"text": edge, "ends_before": True})
    window = {
        "start": str(today.date() - timedelta(days=3)),
        "through": str(today.date() - timedelta(days=1)),
    }
    assert live_run(shop, "fct_batch", **window) == (
        f"the live run of fct_batch writes event_ts from {edge} on, which this window reaches",
        {"text": edge, "ends_before": False},
    )


def test_who_need_not_know_does_not_ask(shop: Shop) -> None:
    """With the hooks, or a schedule that is off, nothing is read for it."""
    assert live_run(shop, "fct_daily", **OLD) == ("", None)
    assert live_run(shop, "fct_bare", live="paused", **OLD) == ("", None)
