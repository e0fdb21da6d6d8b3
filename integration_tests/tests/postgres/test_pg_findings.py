"""P7: what hangs on a table of Postgres, and hooks that guard nothing, are told before the first write."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest
from pg_shop import Shop

WINDOW: dict[str, Any] = {
    "start": "2024-03-30",
    "end": "2024-04-02",
    "column": "order_date",
    "inputs": {"stg_events": "event_ts"},
}


@pytest.mark.parametrize(
    ("action", "effect"),
    [
        ("on delete cascade", "deleting a row deletes those, and no backup keeps them"),
        ("on delete set null", "deleting a row sets them to NULL, and no backup keeps them"),
        ("", "deleting a row that is referred to is refused"),
    ],
)
def test_a_foreign_key_that_comes_in_blocks(shop: Shop, action: str, effect: str) -> None:
    """Rows that refer to the table's would go or change with them: nothing is written until that is accepted."""
    shop.sql(f"""
        create table marts.notes (event_id bigint constraint of_event references marts.fct_indexed (event_id) {action});
        insert into marts.notes select event_id from marts.fct_indexed where order_date = date '2024-03-31'
    """)
    before = shop.rows("fct_indexed"), shop.rows("notes")
    ended = shop.backfill("fct_indexed", **WINDOW)
    assert ended.status == 1
    assert ended.error == (
        "RESTRUCTURE FIRST: nothing was written; BF606: rows of marts.notes refer to fct_indexed (of_event): "
        + effect
    ), ended.printed
    assert (shop.rows("fct_indexed"), shop.rows("notes")) == before


@pytest.mark.parametrize(
    ("action", "effect"), [("cascade", "deletes those"), ("set null", "sets them to NULL")]
)
def test_a_foreign_key_to_the_table_itself_blocks_where_it_changes_rows(
    shop: Shop, action: str, effect: str
) -> None:
    """Rows of other days would go or change with the unit's own."""
    shop.sql(f"""
        alter table marts.fct_indexed add column parent bigint
            constraint of_parent references marts.fct_indexed (event_id) on delete {action};
        update marts.fct_indexed set parent = event_id - 30 where event_id between 31 and 690
    """)
    before = shop.rows("fct_indexed")
    ended = shop.backfill("fct_indexed", **WINDOW)
    assert ended.status == 1
    assert ended.error == (
        "RESTRUCTURE FIRST: nothing was written; BF606: rows of marts.fct_indexed refer to fct_indexed (of_parent): "
        f"deleting a row {effect}, and no backup keeps them"
    ), ended.printed
    assert shop.rows("fct_indexed") == before


def test_what_hangs_on_a_partition_is_told_as_well(shop: Shop) -> None:
    """A key that refers to one partition, and a trigger that it alone has."""
    shop.sql("""
        alter table marts.fct_partitioned_03 add constraint one unique (event_id);
        create table marts.notes (event_id bigint constraint of_event references marts.fct_partitioned_03 (event_id) on delete cascade);
        create function raw.nothing() returns trigger language plpgsql as 'begin return new; end';
        create trigger awake before insert on marts.fct_partitioned_03 for each row execute function raw.nothing();
    """)
    ended = shop.backfill("fct_partitioned", **WINDOW)
    assert ended.status == 1
    assert "BF606: rows of marts.notes refer to fct_partitioned (of_event)" in ended.error, ended.printed
    assert "trigger awake of marts.fct_partitioned_03 may act on every row" in ended.printed


def test_rules_unlogged_tables_and_a_missing_right_are_told(shop: Shop) -> None:
    """A rule that does something else, or that does more; what a crash empties; where the ledger cannot be made."""
    shop.sql("""
        create table raw.log (day date);
        create rule also as on insert to marts.fct_daily do also insert into raw.log values (new.order_date);
        create rule none as on insert to marts.fct_indexed do instead nothing;
        alter table marts.fct_merge set unlogged;
        drop role if exists limited;
        create role limited login;
        grant usage on schema marts, raw to limited;
        grant select on all tables in schema marts, raw to limited
    """)
    printed = shop.backfill("fct_daily", dry_run=True, **WINDOW).printed
    assert "rule also of fct_daily does more than delete or insert" in printed
    ended = shop.backfill("fct_indexed", **WINDOW)
    assert ended.error.endswith(
        "BF606: rule none of fct_indexed does something else instead of what a commit asks for"
    )
    printed = shop.backfill("fct_merge", dry_run=True, **{**WINDOW, "column": "event_ts"}).printed
    assert "marts.fct_merge is unlogged: a crash of the server empties it" in printed
    ended = shop.begin_operation("safe_backfill", "--target", "limited", model="fct_daily", **WINDOW).ended()
    assert ended.status == 1
    assert ended.error.endswith(
        "BF606: limited may not create tables in schema marts, where ledger and backup go"
    ), ended.printed


def test_tables_that_inherit_block(shop: Shop) -> None:
    """Their rows are the table's as well, and would lose what the table has no column for."""
    shop.sql("""
        create table marts.noted (note text) inherits (marts.fct_indexed);
        insert into marts.noted values (9999, date '2024-03-31', 1, 'kept')
    """)
    ended = shop.backfill("fct_indexed", **WINDOW)
    assert ended.status == 1
    assert ended.error == (
        "RESTRUCTURE FIRST: nothing was written; BF606: marts.noted inherits from fct_indexed: its rows would be deleted "
        "and come back as rows of fct_indexed itself, without the columns that marts.noted has of its own"
    ), ended.printed
    assert shop.rows("noted") == Counter([(9999, date(2024, 3, 31), 1, "kept")])
    shop.sql("alter table marts.noted no inherit marts.fct_indexed")
    assert shop.backfill("fct_indexed", **WINDOW).status == 0


@pytest.mark.parametrize(
    ("right", "may_not"), [("insert", "may not read column note"), ("select", "may not write column note")]
)
def test_a_column_that_the_role_may_not_use_blocks(shop: Shop, right: str, may_not: str) -> None:
    """Deleting asks for no right to a column, so what rows hold there would be gone without a backup, or without a way back."""
    columns = "(event_id, order_date, amount)"
    shop.sql(f"""
        drop role if exists limited;
        create role limited login;
        alter table marts.fct_indexed add column note text;
        update marts.fct_indexed set note = 'kept';
        grant usage, create on schema marts to limited;
        grant usage on schema raw to limited;
        grant select on all tables in schema raw to limited;
        grant select on marts.stg_events to limited;
        grant delete, select {columns}, insert {columns}, {right} (note) on marts.fct_indexed to limited
    """)
    before = shop.rows("fct_indexed")
    ended = shop.begin_operation(
        "safe_backfill", "--target", "limited", model="fct_indexed", **WINDOW, backup=False
    ).ended()
    assert ended.status == 1
    assert f"BF606: limited {may_not} of fct_indexed: what rows hold there would be lost" in ended.error
    assert shop.rows("fct_indexed") == before
    shop.sql("grant select, insert on marts.fct_indexed to limited")
    ended = shop.begin_operation(
        "safe_backfill", "--target", "limited", model="fct_indexed", **WINDOW
    ).ended()
    assert ended.status == 0, ended.printed
    shop.sql("drop owned by limited; drop role limited")


def test_triggers_and_row_policies_are_named(shop: Shop) -> None:
    """Those that act: not a trigger that is disabled, nor a policy that does not hold for this role."""
    shop.sql("""
        create function raw.nothing() returns trigger language plpgsql as 'begin return new; end';
        create trigger asleep before insert on marts.fct_daily for each row execute function raw.nothing();
        create trigger awake before insert on marts.fct_daily for each row execute function raw.nothing();
        alter table marts.fct_daily disable trigger asleep, enable row level security
    """)
    printed = shop.backfill("fct_daily", dry_run=True, **WINDOW).printed
    assert "trigger awake of fct_daily may act on every row" in printed
    assert "asleep" not in printed
    assert "row policy" not in printed


def test_without_the_guard_hooks_the_plan_blocks(shop: Shop) -> None:
    """BF304 for a model whose live run nobody holds back; not for one with both hooks, nor where the schedule is paused."""
    reaching = {**WINDOW, "end": "2024-05-03"}
    ended = shop.backfill("fct_bare", **reaching)
    assert ended.status == 1
    assert ended.error.startswith("RESTRUCTURE FIRST: nothing was written; BF304"), ended.printed
    assert shop.value("select to_regclass('marts.backfill_safety_runs') is null")
    assert "BF304" not in shop.backfill("fct_daily", dry_run=True, **reaching).printed
    paused = shop.backfill("fct_bare", live="paused", dry_run=True, **reaching)
    assert "BF304" not in paused.printed


def test_hooks_outside_of_the_transaction_guard_nothing(shop: Shop) -> None:
    """A lock that ends before the model writes is none: BF304; and the live run itself says so."""
    shop.sql(
        "create table marts.fct_outside as select event_id, cast(event_ts as date) as order_date, amount from raw.events"
    )
    ended = shop.backfill("fct_outside", **WINDOW)
    assert ended.status == 1
    assert ended.error.startswith("RESTRUCTURE FIRST: nothing was written; BF304"), ended.printed
    ended = shop.run("run", "--select", "fct_outside")
    assert ended.status == 1
    assert "has ended, or never began; look for a hook that commits, transaction: false" in ended.printed


def test_a_profile_with_autocommit_has_no_guard(shop: Shop) -> None:
    """dbt begins no transaction there, so the lock is gone at once: BF304, and the live run says so."""
    from dbt.adapters.postgres.connections import PostgresCredentials

    if not hasattr(PostgresCredentials, "autocommit"):
        pytest.skip("this dbt-postgres knows no autocommit, so it begins a transaction all the same")
    window = {**WINDOW, "start": "2024-05-01", "end": "2024-05-03"}
    ended = shop.begin_operation("safe_backfill", "--target", "auto", model="fct_daily", **window).ended()
    assert ended.error.startswith("RESTRUCTURE FIRST: nothing was written; BF304"), ended.printed
    ended = shop.run("run", "--select", "fct_daily", "--target", "auto")
    assert ended.status == 1
    assert "or autocommit: true in the profile" in ended.printed
    ended = shop.begin_operation(
        "safe_backfill", "--target", "auto", model="fct_daily", live="paused", run_id="first", **window
    ).ended()
    assert ended.status == 0, ended.printed
    ended = shop.begin_operation("rollback_backfill", "--target", "auto", run_id="first").ended()
    assert ended.status == 0, ended.printed


def test_a_hook_that_commits_lets_the_guard_go(shop: Shop) -> None:
    """A pre-hook behind the guard's ends the transaction, and the lock with it: BF304, and the live run writes nothing."""
    shop.sql(
        "create table marts.fct_commits as select event_id, cast(event_ts as date) as order_date, amount from raw.events"
    )
    before = shop.rows("fct_commits")
    ended = shop.backfill("fct_commits", **WINDOW)
    assert ended.error.startswith("RESTRUCTURE FIRST: nothing was written; BF304"), ended.printed
    ended = shop.run("run", "--select", "fct_commits")
    assert ended.status == 1
    assert "look for a hook that commits" in ended.printed
    assert shop.rows("fct_commits") == before


def test_hooks_of_a_microbatch_model_guard_nothing(shop: Shop) -> None:
    """dbt runs them in the first and the last batch alone: BF304, and the hooks are not what to add."""
    shop.sql("create table marts.fct_batch as select event_id, event_ts, amount from raw.events")
    today = datetime.now(timezone.utc).date()
    ended = shop.backfill("fct_batch", start=str(today - timedelta(days=2)), through=str(today))
    assert ended.status == 1
    assert ended.error.startswith("RESTRUCTURE FIRST: nothing was written; BF304"), ended.printed
    assert "pause the schedule and write live: paused" in ended.printed
    assert "add the guard hooks" not in ended.printed
    ended = shop.backfill("fct_batch", live="paused", start="2024-03-30", end="2024-04-02")
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_batch") == Counter(shop.sql("select event_id, event_ts, amount from raw.events"))
