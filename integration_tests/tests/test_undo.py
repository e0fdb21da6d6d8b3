"""P8: a run can be undone unit by unit, and the undo refuses to trample what someone wrote later."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from shop import Shop, own_project

WAREHOUSES = ["duckdb", "postgres"]

WINDOW: dict[str, Any] = {
    "start": "2024-03-01",
    "end": "2024-03-05",
    "column": "order_date",
    "run_id": "first",
}


@pytest.mark.parametrize(
    ("model", "more"),
    [
        ("fct_daily", {}),
        ("fct_daily", {"units_per_commit": 3, "read": "per_unit"}),
        ("fct_daily", {"where": {"country": ["DE"]}}),
        ("fct_reordered", {}),
        ("fct_indexed", {}),
    ],
)
def test_back_as_it_was(shop: Shop, model: str, more: dict[str, Any]) -> None:
    """Doubled, wrong and missing rows come back just so."""
    if model != "fct_indexed":
        shop.sql(
            f"insert into marts.{model} select * from marts.{model} where order_date = date '2024-03-02'"
        )
    shop.sql(f"""
        delete from marts.{model} where order_date = date '2024-03-03';
        update marts.{model} set amount = 0 where order_date = date '2024-03-01'
    """)
    before = shop.copy(shop.folder.parent / "before")
    ended = shop.backfill(model, **WINDOW, **more)
    assert ended.status == 0, ended.printed
    assert shop.differing_rows(before, f"marts.{model}") > 0
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 0, ended.printed
    assert shop.differing_rows(before, f"marts.{model}") == 0
    assert shop.runs() == [("rolled back", ["rolled back"] * 4)]
    again = shop.operation("rollback_backfill", run_id="first")
    assert again.status == 1
    assert again.error == "run first has no finished unit that could be undone"


def test_later_writes_are_not_trampled(shop: Shop) -> None:
    """One day was written to after the run: nothing is undone; the other days can be, by name."""
    before = shop.copy(shop.folder.parent / "before")
    assert shop.backfill("fct_daily", **WINDOW).status == 0
    day = "order_date = date '2024-03-02'"
    shop.sql(f"update marts.fct_daily set orders = orders + 1 where {day} and country = 'DE'")
    after = shop.copy(shop.folder.parent / "after")
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 1
    assert ended.error.startswith(
        "written to since run first: 2024-03-02; undoing would lose that, so nothing was undone"
    )
    assert shop.differing_rows(after, "marts.fct_daily") == 0
    others = ["2024-03-01", "2024-03-03", "2024-03-04"]
    planned = shop.operation("rollback_backfill", run_id="first", units=others, dry_run=True)
    assert planned.status == 0, planned.printed
    assert shop.differing_rows(after, "marts.fct_daily") == 0
    assert shop.runs() == [("done", ["done"] * 4)]
    ended = shop.operation("rollback_backfill", run_id="first", units=others)
    assert ended.status == 0, ended.printed
    assert shop.differing_rows(after, "marts.fct_daily", day) == 0
    assert shop.differing_rows(before, "marts.fct_daily", f"not {day}") == 0
    assert shop.runs() == [("partly rolled back", ["rolled back", "done", "rolled back", "rolled back"])]


def test_a_later_backfill_is_not_trampled(shop: Shop) -> None:
    """A second run that changed nothing leaves the first one undoable; one that changed something does not."""
    assert shop.backfill("fct_daily", **WINDOW).status == 0
    shop.sql(
        "update raw.events set amount = amount + 5 where event_ts >= timestamp '2024-03-02' and event_ts < timestamp '2024-03-03'"
    )
    assert shop.backfill("fct_daily", **{**WINDOW, "run_id": "second"}).status == 0
    after = shop.copy(shop.folder.parent / "after")
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 1
    assert "written to since run first: 2024-03-02" in ended.error
    assert shop.differing_rows(after, "marts.fct_daily") == 0
    assert shop.operation("rollback_backfill", run_id="second").status == 0
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 0, ended.printed


def test_a_damaged_backup_is_noticed(shop: Shop) -> None:
    """A backup that does not give back what was replaced is not put back."""
    assert shop.backfill("fct_daily", **WINDOW).status == 0
    shop.sql("update marts.backfill_safety_backup_first set orders = 77 where order_date = date '2024-03-04'")
    after = shop.copy(shop.folder.parent / "after")
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 1
    assert (
        ended.error
        == "the backup of 2024-03-04 does not give back what the run replaced; it is left as it is"
    )
    assert shop.differing_rows(after, "marts.fct_daily", "order_date = date '2024-03-04'") == 0


def test_what_an_earlier_try_had_kept(shop: Shop) -> None:
    """Units that failed at first and were done later, at another pace: their old rows come back once."""
    day = "event_ts >= timestamp '2024-03-02' and event_ts < timestamp '2024-03-03'"
    shop.sql("update marts.fct_daily set amount = 0 where order_date = date '2024-03-02'")
    before = shop.copy(shop.folder.parent / "before")
    shop.sql(
        f"create table raw.gone as select * from raw.events where {day}; delete from raw.events where {day}"
    )
    ended = shop.backfill("fct_daily", **WINDOW)
    assert ended.status == 1
    assert "2024-03-02 would become empty" in ended.error
    shop.sql("insert into raw.events select * from raw.gone; drop table raw.gone")
    ended = shop.backfill("fct_daily", pause_seconds=0.01, **WINDOW)
    assert ended.status == 0, ended.printed
    held = "select count(*) from marts.{} where order_date = date '2024-03-02'"
    assert shop.value(held.format("backfill_safety_backup_first")) == before.value(held.format("fct_daily"))
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 0, ended.printed
    assert shop.differing_rows(before, "marts.fct_daily") == 0


def test_cleanup_cancel_and_status(shop: Shop) -> None:
    """An unfinished run is shown, cancelled, and its tables dropped; what is gone cannot be undone."""
    stopped = shop.backfill("fct_daily", limits={"minutes": 0.0001}, **WINDOW)
    assert stopped.status == 1
    status = shop.operation("backfill_status", run_id="first", format="json")
    assert '"state": "incomplete"' in status.printed
    refused = shop.operation("cleanup_backfills", run_id="first")
    assert refused.error.startswith("run first is incomplete; finish it, or end it with cancel_backfill")
    assert shop.operation("cancel_backfill", run_id="first").status == 0
    assert [state for state, _ in shop.runs()] == ["cancelled"]
    kept = shop.operation("cleanup_backfills", run_id="first", dry_run=True)
    assert "would drop" in kept.printed
    assert "backfill_safety_backup_first" in shop.tables()
    assert shop.operation("cleanup_backfills", run_id="first").status == 0
    assert [table for table in shop.tables() if table.endswith("_first")] == []
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 1
    assert ended.error.startswith("run first has no backup (")


def test_status_of_one_model(shop: Shop) -> None:
    """A line for each run of that model, the newest first, as a person reads it."""
    assert shop.backfill("fct_daily", **WINDOW).status == 0
    assert shop.backfill("fct_daily", **{**WINDOW, "run_id": "second"}).status == 0
    other = {"start": "2024-03-01", "end": "2024-03-02", "column": "event_ts", "run_id": "other"}
    assert shop.backfill("fct_merge", **other).status == 0
    status = shop.operation("backfill_status", model="fct_daily")
    assert status.status == 0, status.printed
    lines = [
        line for line in status.printed.splitlines() if "fct_" in line or "first" in line or "second" in line
    ]
    assert [name for line in lines for name in ("first", "second", "other") if name in line] == [
        "second",
        "first",
    ]
    assert all("done" in line and "4" in line for line in lines)


def test_old_backups_are_cleaned_up(shop: Shop) -> None:
    """Those of more than keep_days, by default 14; what is younger can still be undone."""
    for run_id in ("first", "second"):
        assert shop.backfill("fct_daily", **{**WINDOW, "run_id": run_id}).status == 0
    shop.sql(
        "update marts.backfill_safety_runs set finished_at = finished_at - interval '20 days' where run_id = 'first'"
    )
    assert shop.operation("cleanup_backfills", keep_days=30).status == 0
    assert "backfill_safety_backup_first" in shop.tables()
    ended = shop.operation("cleanup_backfills")
    assert ended.status == 0, ended.printed
    assert "backfill_safety_backup_first" not in shop.tables()
    assert "backfill_safety_backup_second" in shop.tables()
    assert shop.operation("rollback_backfill", run_id="second").status == 0


def test_a_column_that_came_after_the_run(shop: Shop) -> None:
    """Empty, it keeps no undo back; what was written into it since would be lost, so those days are not undone."""
    shop.sql("update marts.fct_daily set amount = 0 where order_date = date '2024-03-01'")
    before = shop.copy(shop.folder.parent / "before")
    assert shop.backfill("fct_daily", **WINDOW).status == 0
    names = shop.columns("marts.fct_daily")
    shop.sql("""
        alter table marts.fct_daily add column note text;
        alter table marts.fct_daily add column rank bigint;
        update marts.fct_daily set rank = 1 where order_date = date '2024-03-02'
    """)
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 1
    assert ended.error.startswith("written to since run first: 2024-03-02; ")
    ended = shop.operation("rollback_backfill", run_id="first", units=["2024-03-01", "2024-03-03"])
    assert ended.status == 0, ended.printed
    days = "order_date in (date '2024-03-01', date '2024-03-03')"
    assert shop.differing_rows(before, "marts.fct_daily", days, names) == 0
    assert shop.value("select count(rank) from marts.fct_daily") > 0


def test_a_column_that_is_gone(shop: Shop) -> None:
    """Said before anything is touched, with where it still is."""
    assert shop.backfill("fct_daily", **WINDOW).status == 0
    shop.sql("alter table marts.fct_daily drop column amount")
    before = shop.checksums()
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 1
    assert ended.error == (
        '"shop"."marts"."fct_daily" no longer has amount, which the backup of run first holds; '
        'add what is gone again, as "shop"."marts"."backfill_safety_backup_first" has it, then undo'
    ), ended.printed
    assert shop.checksums() == before


def test_a_column_that_the_run_left_empty(shop: Shop) -> None:
    """The model has no values for it: what somebody wrote into it since is no less a later write; what a default fills in is none."""
    shop.sql("""
        alter table marts.fct_daily add column note text;
        alter table marts.fct_daily add column rank bigint;
        alter table marts.fct_daily alter column rank set default 7;
        update marts.fct_daily set note = 'old', rank = 1
    """)
    before = shop.copy(shop.folder.parent / "before")
    assert shop.backfill("fct_daily", **WINDOW).status == 0
    shop.sql("update marts.fct_daily set note = 'new' where order_date = date '2024-03-02'")
    after = shop.copy(shop.folder.parent / "after")
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 1
    assert ended.error.startswith("written to since run first: 2024-03-02; ")
    assert shop.differing_rows(after, "marts.fct_daily") == 0
    others = ["2024-03-01", "2024-03-03", "2024-03-04"]
    ended = shop.operation("rollback_backfill", run_id="first", units=others)
    assert ended.status == 0, ended.printed
    assert shop.differing_rows(before, "marts.fct_daily", "order_date <> date '2024-03-02'") == 0


def test_a_column_that_the_engine_computes(shop: Shop, warehouse: str) -> None:
    """It takes no value, and has its own again."""
    kept = "stored" if warehouse == "postgres" else "virtual"
    shop.sql(f"""
        create table marts.doubled as select * from marts.fct_daily;
        drop table marts.fct_daily;
        create table marts.fct_daily (
            order_date date, country text, orders bigint, amount numeric(38, 2),
            twice numeric(38, 2) generated always as (amount * 2) {kept}
        );
        insert into marts.fct_daily (order_date, country, orders, amount)
        select order_date, country, orders, case when order_date = date '2024-03-02' then 1 else amount end from marts.doubled
    """)
    before = shop.copy(shop.folder.parent / "before")
    ended = shop.backfill("fct_daily", **WINDOW)
    assert ended.status == 0, ended.printed
    assert shop.differing_rows(before, "marts.fct_daily") > 0
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 0, ended.printed
    assert shop.differing_rows(before, "marts.fct_daily") == 0


def test_a_run_of_another_table(shop: Shop, tmp_path: Path) -> None:
    """A ledger may be shared by the schemas of several targets: an undo or a resume there does not touch the table of this one."""
    shop.sql("update marts.fct_daily set amount = 0 where order_date = date '2024-03-01'")
    assert shop.backfill("fct_daily", **WINDOW).status == 0
    assert (
        shop.backfill("fct_daily", limits={"minutes": 0.0001}, **{**WINDOW, "run_id": "second"}).status == 1
    )
    shop.sql("create table marts.fct_daily_of_dev as select * from marts.fct_daily")
    shop.project = own_project(shop.dbt, tmp_path)
    model = shop.project / "models" / "strategies" / "fct_daily.sql"
    text = model.read_text()
    assert "config(" in text
    model.write_text(text.replace("config(", "config(alias='fct_daily_of_dev', ", 1))
    before = shop.checksums()
    name = '"shop"."marts"."fct_daily'
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 1
    assert ended.error == (
        f'run first replaced rows of {name}", and the table of model.shop.fct_daily is {name}_of_dev" here; '
        "ask with the target, schema and alias that it ran with"
    )
    ended = shop.backfill("fct_daily", **{**WINDOW, "run_id": "second"})
    assert ended.status == 1
    assert ended.error == (
        f"run_id 'second' is a run of {name}\", not {name}_of_dev\"; "
        "go on with the target that it began with, or give another run_id"
    )
    assert shop.checksums() == before
