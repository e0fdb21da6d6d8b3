"""What the first commit has read is held against its share of the estimate, and a role sees no more than its policies let it."""

from __future__ import annotations

from typing import Any

import pytest
from pg_shop import Shop
from shop import Ended

WINDOW: dict[str, Any] = {
    "start": "2024-03-30",
    "end": "2024-04-03",
    "column": "order_date",
    "inputs": {"stg_events": "event_ts"},
    "run_id": "first",
}
DAYS = "order_date >= date '2024-03-30' and order_date < date '2024-04-03'"


@pytest.fixture
def large(shop: Shop) -> Shop:
    """A source with 1.2 M rows of earlier years, and no index on what bounds it."""
    shop.sql("""
        insert into raw.events select 100000 + i, timestamp '2020-01-01' + i * interval '1 minute', 1, 'DE'
        from generate_series(1, 1200000) as i;
        analyze raw.events
    """)
    return shop


@pytest.mark.parametrize(
    "more", [{}, {"worker": "w1"}, {"expect": {"keep_missing": True}}], ids=["", "worker", "keep_missing"]
)
def test_a_first_commit_that_reads_everything_stops_the_run(large: Shop, more: dict[str, Any]) -> None:
    """Four days of 1.2 M rows, each of which would read all: nothing is written. With an index the same call goes on."""
    window = {**WINDOW, **more}
    ended = large.backfill("fct_daily", **window)
    assert ended.status == 1
    assert "BF505: was not written: it read 1.2 M rows and its share of the estimate is 1" in ended.error, (
        ended.printed
    )
    assert "pruning failed. Index the column that inputs name" in ended.error
    assert large.rows("fct_daily") == large.rows("fct_daily", database="used")
    assert large.units("first") == ["planned"] * 4
    large.sql("create index on raw.events (event_ts); analyze raw.events")
    ended = large.backfill("fct_daily", **window)
    assert ended.status == 0, ended.printed
    assert large.rows("fct_daily", DAYS) == large.rows("fct_daily", DAYS, "refreshed")


@pytest.mark.parametrize(
    "changed", [{"accept": {"BF505": "four scans are cheap"}}, {"inputs": {}}], ids=["accepted", "read once"]
)
def test_who_means_it_goes_on(large: Shop, changed: dict[str, Any]) -> None:
    """Where it is accepted, and where all is read in one pass anyway."""
    ended = large.backfill("fct_daily", **{**WINDOW, **changed})
    assert ended.status == 0, ended.printed
    assert large.rows("fct_daily", DAYS) == large.rows("fct_daily", DAYS, "refreshed")


def test_what_was_read_is_told(shop: Shop) -> None:
    """Beside what was expected: with an index both are the rows of the first day."""
    shop.sql("create index on raw.events (event_ts); analyze raw.events")
    ended = shop.backfill("fct_daily", **WINDOW)
    assert ended.status == 0, ended.printed
    (line,) = [line for line in ended.printed.splitlines() if line.startswith("read ")]
    read, expected = [int(word.replace(",", "")) for word in line.split() if word.replace(",", "").isdigit()]
    assert expected > 0
    assert read <= 10 * expected, line


def backfill_as_limited(shop: Shop, **arguments: Any) -> Ended:
    """The backfill by that role; what it prints in one line, since findings are wrapped."""
    ended = shop.begin_operation(
        "safe_backfill", "--target", "limited", model="fct_daily", **WINDOW, **arguments
    ).ended()
    return Ended(ended.status, " ".join(ended.printed.split()))


def test_another_owner_is_told(limited: Shop) -> None:
    """It sees and replaces all rows, and the plan says whose the table is; the owner is told nothing."""
    ended = backfill_as_limited(limited)
    assert (
        "fct_daily belongs to shop and this role is limited: rows and backup are what it sees"
        in ended.printed
    )
    assert ended.status == 0, ended.printed
    assert limited.rows("fct_daily", DAYS) == limited.rows("fct_daily", DAYS, "refreshed")
    assert limited.rows("fct_daily", f"not ({DAYS})") == limited.rows("fct_daily", f"not ({DAYS})", "used")
    assert (
        "belongs to" not in limited.backfill("fct_daily", **{**WINDOW, "run_id": "own"}, dry_run=True).printed
    )


def test_a_ledger_that_the_role_may_not_read(limited: Shop) -> None:
    """One that another role has made: the line says what to grant."""
    ended = limited.backfill("fct_daily", **WINDOW)
    assert ended.status == 0, ended.printed
    ended = backfill_as_limited(limited)
    assert ended.status == 1
    assert (
        'this role may not read "shop"."marts"."backfill_safety_runs"; grant it select, insert, update and delete on the '
        "three tables of the ledger"
    ) in ended.printed


@pytest.mark.parametrize("check", ["", "with check (true)"], ids=["may not write", "may write"])
def test_a_row_policy_blocks(limited: Shop, check: str) -> None:
    """A role that sees one country alone would leave the rows of others and write them a second time."""
    limited.sql(f"""
        alter table marts.fct_daily enable row level security;
        create policy of_country on marts.fct_daily to limited using (country = 'DE') {check}
    """)
    before = limited.rows("fct_daily")
    ended = backfill_as_limited(limited)
    assert ended.status == 1
    assert (
        "RESTRUCTURE FIRST: nothing was written; BF606: a row policy of fct_daily holds for limited: rows that this "
        "role does not see are neither replaced nor kept, and would stand twice"
    ) in ended.printed
    assert "run as a role that sees all rows: the owner of the table, or one with bypassrls" in ended.printed
    assert limited.rows("fct_daily") == before
    assert limited.value("select to_regclass('marts.backfill_safety_runs') is null")


def test_a_row_policy_that_is_taken_on(limited: Shop) -> None:
    """What the role may not write stops the run, and all rows stay; a role that sees all rows is not blocked."""
    limited.sql("""
        alter table marts.fct_daily enable row level security;
        create policy of_country on marts.fct_daily to limited using (country = 'DE')
    """)
    before = limited.rows("fct_daily")
    ended = backfill_as_limited(limited, accept={"BF606": "one country is meant"})
    assert ended.status == 1
    assert "2024-03-30 could not be replaced: new row violates row-level security policy" in ended.printed, (
        ended.printed
    )
    assert limited.rows("fct_daily") == before
    limited.sql("alter role limited bypassrls")
    ended = backfill_as_limited(limited, dry_run=True, accept={"BF606": "one country is meant"})
    assert ended.status == 0
    assert "row policy" not in ended.printed
