"""P8 and P9: on Postgres a run is undone in parts, and resumed only with the settings that it began with; bad calls write nothing."""

from __future__ import annotations

from typing import Any

import pytest
from pg_shop import Shop

WINDOW: dict[str, Any] = {
    "start": "2024-03-29",
    "end": "2024-04-02",
    "column": "order_date",
    "inputs": {"stg_events": "event_ts"},
    "run_id": "first",
}
DAYS = "order_date >= date '2024-03-29' and order_date < date '2024-04-02'"


def test_in_parts(shop: Shop) -> None:
    """Some units by name, then the others; each is put back once; a damaged backup is noticed and not put back."""
    before = shop.rows("fct_daily")
    assert shop.backfill("fct_daily", **WINDOW).status == 0
    ended = shop.operation("rollback_backfill", run_id="first", units=["2024-03-30"])
    assert ended.status == 0, ended.printed
    assert shop.units("first") == ["done", "rolled back", "done", "done"]
    shop.sql(
        "update marts.backfill_safety_backup_first set amount = amount + 1 where order_date = date '2024-03-29'"
    )
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 1
    assert "the backup of 2024-03-29 does not give back what the run replaced" in ended.error, ended.printed
    shop.until_gone()
    shop.sql(
        "update marts.backfill_safety_backup_first set amount = amount - 1 where order_date = date '2024-03-29'"
    )
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 0, ended.printed
    assert shop.units("first") == ["rolled back"] * 4
    assert shop.rows("fct_daily") == before


def test_what_was_cleaned_up_stays(shop: Shop) -> None:
    """Without its backup a run cannot be undone."""
    assert shop.backfill("fct_daily", **WINDOW).status == 0
    after = shop.rows("fct_daily")
    assert shop.operation("cleanup_backfills", run_id="first").status == 0
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 1
    assert ended.error.startswith("run first has no backup"), ended.printed
    assert shop.rows("fct_daily") == after


@pytest.mark.parametrize(
    "changed",
    [{"where": {"country": "DE"}}, {"expect": {"max_shrink": 0.5}}, {"backup": False}, {"inputs": {}}],
)
def test_other_settings(shop: Shop, changed: dict[str, Any]) -> None:
    """A run that stopped at a limit is not gone on with by other words; by the same ones it is."""
    accept = {"BF505": "to stop it"}
    ended = shop.backfill("fct_daily", **WINDOW, limits={"rows": 1}, accept=accept)
    assert ended.status == 1
    assert "the limit of 1 rows is reached" in ended.error, ended.printed
    stopped = shop.rows("fct_daily")
    ended = shop.backfill("fct_daily", **{**WINDOW, **changed})
    assert ended.status == 1
    assert ended.error.startswith("run first began with other code or settings"), ended.printed
    assert shop.rows("fct_daily") == stopped
    ended = shop.backfill("fct_daily", **WINDOW)
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_daily", DAYS) == shop.rows("fct_daily", DAYS, "refreshed")


@pytest.mark.parametrize(
    "text",
    [
        "DE'; drop table marts.fct_daily; --",
        "$$; drop table marts.fct_daily; $$",
        "\\'; select 1; --",
        "$sql$ x $block$ {{ 7 }} %s",
    ],
)
@pytest.mark.parametrize("worker", [None, "w1"])
def test_values_stay_values(shop: Shop, text: str, worker: str | None) -> None:
    """What looks like SQL selects no row, and is no SQL."""
    before = shop.rows("fct_daily")
    arguments = {**WINDOW, "where": {"country": text}, "read": "per_unit", "worker": worker}
    ended = shop.backfill("fct_daily", **{k: v for k, v in arguments.items() if v is not None})
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_daily") == before


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"end": "2024-03-28"}, "end"),
        ({"start": "2024-13-01"}, "start"),
        ({"column": "nothing"}, '"shop"."marts"."fct_daily" has no column \'nothing\''),
        ({"grain": "month"}, "the window 2024-03-29 to 2024-04-02 cuts a month"),
        ({"replace_by": "merge"}, "replace_by must be one of delete+insert on postgres"),
        ({"where": {"orders": 3}}, "where"),
    ],
)
def test_bad_calls(shop: Shop, changed: dict[str, Any], message: str) -> None:
    """One line that begins with what is wrong, before anything is written."""
    ended = shop.backfill("fct_daily", **{**WINDOW, **changed})
    assert ended.status == 1
    assert ended.error.startswith(message), ended.printed
    assert shop.value("select to_regclass('marts.backfill_safety_runs') is null")
