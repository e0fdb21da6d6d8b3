"""Every dispatch branch and every optional argument of the macros is rendered, also for engines that cannot be run here."""

from __future__ import annotations

import json
from typing import Any

import pytest
from dispatch_branches import BY_OPERATION, CALLS, NO_ANSWER, PREFIX_ONLY, TARGET
from generated_engines import RENDERED
from macro_files import package_macros
from shop import Shop


def branches() -> list[str]:
    """Every dispatch branch that the package has, `adapter__name`, but for those that test_generated.py renders."""
    found = (macro.name for macro in package_macros() if "__" in macro.name.strip("_"))
    return sorted(name for name in found if name.split("__")[0] not in RENDERED)


def test_every_branch_is_listed() -> None:
    """A new branch comes with its call, or with the name of a run that meets it."""
    assert sorted({*CALLS, *BY_OPERATION}) == branches()


def test_each_branch(shop: Shop) -> None:
    """What it returns, exactly."""
    calls = [
        {"macro": name, "arguments": arguments} for name, given in CALLS.items() for arguments, _ in given
    ]
    expected = [(name, answer) for name, given in CALLS.items() for _, answer in given]
    ended = shop.operation("call_macros", calls=calls)
    assert ended.status == 0, ended.printed
    answers = json.loads(ended.printed.strip().splitlines()[-1])
    for (name, wanted), answer in zip(expected, answers, strict=True):
        if name in PREFIX_ONLY:
            assert squeezed(answer).startswith(squeezed(wanted)), name
        elif name not in NO_ANSWER:
            assert answer == wanted, name


def squeezed(sql: str) -> str:
    """SQL in which neither blanks nor case matter."""
    return "".join(sql.split()).lower()


def test_what_an_engine_cannot(shop: Shop) -> None:
    """One line says so."""
    for macro, arguments, message in (
        ("default___rest", [1], "pause_seconds is not available on duckdb; leave it out"),
        (
            "default___live_run_begins_sql",
            [TARGET, "wait", 5],
            "live_run_begins is not available on duckdb; pause the schedule while a backfill runs",
        ),
    ):
        ended = shop.operation("call_macros", calls=[{"macro": macro, "arguments": arguments}])
        assert ended.error == message


def test_branches_whose_answer_is_not_text(shop: Shop) -> None:
    """They are rendered, and the engine takes what they send."""
    calls = [
        {"macro": "duckdb___end_transaction", "arguments": []},
        {"macro": "default___run", "arguments": [["begin"]]},
        {"macro": "default___end_transaction", "arguments": []},
    ]
    ended = shop.operation("call_macros", calls=calls)
    assert ended.status == 0, ended.printed
    rest = shop.operation("call_macros", calls=[{"macro": "postgres___rest", "arguments": [0]}])
    assert "SET LOCAL is not implemented" in rest.printed  # by DuckDB


def test_scans_of_postgres(shop: Shop) -> None:
    """Each scan with its table, the rows that the planner expects, and the table's size."""
    ended = shop.operation("canned_postgres_scans")
    assert ended.status == 0, ended.printed
    assert json.loads(ended.printed.strip().splitlines()[-1]) == [
        {"table": "raw.events", "rows": 40, "size": 4000},
        {"table": "raw.customers", "rows": 37, "size": 37},
    ]


# An engine without a file of its own is blocked until somebody has tried it.
TAKEN_ON = {"BF110": "it is DuckDB"}


@pytest.mark.parametrize("read", ["per_unit", "once"])
def test_a_plain_engine(shop: Shop, refreshed: Shop, read: str) -> None:
    """The whole operation by its default forms: blocked while the live run may write, then as on DuckDB."""
    arguments: dict[str, Any] = {
        "model": "fct_daily",
        "start": "2024-03-01",
        "end": "2024-03-04",
        "column": "order_date",
        "read": read,
    }
    ended = shop.operation("backfill_on_plain_engine", arguments=arguments)
    assert ended.status == 1
    assert "BF110: duckdb is not among the engines that this package has SQL for" in ended.error
    arguments["accept"] = TAKEN_ON
    ended = shop.operation("backfill_on_plain_engine", arguments=arguments)
    assert ended.status == 1
    assert "BF304: the live run of fct_daily may write into this window" in ended.error
    ended = shop.operation("backfill_on_plain_engine", arguments={**arguments, "live": "paused"})
    assert ended.status == 0, ended.printed
    days = "order_date >= date '2024-03-01' and order_date < date '2024-03-04'"
    assert shop.differing_rows(refreshed, "marts.fct_daily", days) == 0
    assert shop.value("select count(*) from marts.backfill_safety_leases") == 0


def test_a_lease_that_another_holds(shop: Shop) -> None:
    """On an engine that others can write to, a living lease stops the run and an expired one does not."""
    arguments = {
        "model": "fct_daily",
        "start": "2024-03-01",
        "end": "2024-03-04",
        "column": "order_date",
        "live": "paused",
        "accept": TAKEN_ON,
    }
    assert shop.operation("backfill_on_plain_engine", arguments=arguments).status == 0
    relation = '"shop"."marts"."fct_daily"'
    for minutes, status in ((5, 1), (-5, 0)):
        shop.sql(f"""
            delete from marts.backfill_safety_leases;
            insert into marts.backfill_safety_leases (relation, holder, taken_at, expires_at)
            select '{relation}', 'someone', now()::timestamp, now()::timestamp + to_minutes({minutes})
        """)
        before = shop.checksums()
        ended = shop.operation("backfill_on_plain_engine", arguments=arguments)
        assert ended.status == status, ended.printed
        if status:
            assert ended.error.startswith(f"another backfill of {relation} is running (lease until ")
            assert shop.checksums() == before
