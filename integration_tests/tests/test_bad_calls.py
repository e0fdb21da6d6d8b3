"""Bad calls end with one line that says what to write instead, and leave the warehouse and the ledger as they were."""

from __future__ import annotations

from typing import Any

import bad_calls
import pytest
from shop import Shop

WAREHOUSES = ["duckdb", "postgres"]

Kept = tuple[Shop, dict[str, tuple[int, str]]]


@pytest.fixture(scope="module")
def kept(built: tuple[Shop, Shop], tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """A shop in which one run was made, so that there is a ledger to spoil, with the checksums of all its tables."""
    shop = built[0].copy(tmp_path_factory.mktemp("bad_calls"))
    ended = shop.backfill(
        "fct_daily", column="order_date", start="2024-01-01", end="2024-01-03", run_id="earlier"
    )
    assert ended.status == 0, ended.printed
    return shop, shop.checksums()


def _name(call: bad_calls.Call) -> str:
    return call[2][:60].replace("/", "")


def test_there_are_enough() -> None:
    """Forty are what the project promises."""
    assert len({message for _, _, message in bad_calls.ALL}) >= 40


@pytest.mark.parametrize(("operation", "arguments", "message"), bad_calls.ALL, ids=map(_name, bad_calls.ALL))
def test_bad_call(
    kept: Kept, warehouse: str, operation: str, arguments: dict[str, Any], message: str
) -> None:
    """The message is exact and stands in one line; nothing was written."""
    shop, before = kept
    message = message.replace("on duckdb", f"on {warehouse}")
    for name, own in bad_calls.TYPES[warehouse].items():
        message = message.replace(f"of type {name}", f"of type {own}")
    ended = shop.operation(operation, **arguments)
    assert ended.status == 1
    assert ended.error == message, ended.printed
    (_, after) = ended.printed.split(ended.error, 1)
    assert after.lstrip().startswith("> in macro _refuse ("), "the message is more than one line"
    assert shop.checksums() == before


def test_a_worker_that_cannot_be(kept: Kept, warehouse: str) -> None:
    """Not where one process holds the database; elsewhere not without the name of what is shared."""
    shop, before = kept
    ended = shop.operation("safe_backfill", **bad_calls.DAY, worker="w1")
    assert ended.status == 1
    assert ended.error == bad_calls.WORKER[warehouse], ended.printed
    assert shop.checksums() == before


def test_a_missing_table(shop: Shop) -> None:
    """A model that was never built is to be built first."""
    shop.sql("drop table marts.tbl_daily")
    ended = shop.backfill("tbl_daily", column="order_date", start="2024-01-01", end="2024-01-03")
    assert ended.status == 1
    assert (
        ended.error
        == 'the table of tbl_daily does not exist ("shop"."marts"."tbl_daily"); build it first: dbt run --select tbl_daily'
    )


def test_values_that_look_like_sql_stay_values(shop: Shop) -> None:
    """Where a text is a legal value it is one, whatever it holds: no row matches, and nothing else happens."""
    before = shop.copy(shop.folder.parent / "before")
    attack = bad_calls.ATTACK
    for arguments in (
        {"values": [attack, "x\\'; drop table marts.fct_daily; --"], "column": "country"},
        {
            "column": "order_date",
            "start": "2024-03-01",
            "end": "2024-03-03",
            "where": {"country": [attack, "' or 1=1 or ''='"]},
        },
    ):
        ended = shop.backfill("fct_daily", reason=attack + "{{ 1/0 }} {% do x %}", **arguments)
        assert ended.status == 0, ended.printed
    assert shop.differing_rows(before, "marts.fct_daily") == 0
    assert shop.value("select count(distinct reason) from marts.backfill_safety_runs") == 1
    assert shop.value("select min(reason) from marts.backfill_safety_runs") == attack + "{{ 1/0 }} {% do x %}"
