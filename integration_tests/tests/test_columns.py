"""Columns are written by name: one that only the target has is said before, and gets what the table gives by default."""

from __future__ import annotations

from matrix import between
from shop import Shop

WAREHOUSES = ["duckdb", "postgres"]
WINDOW = {"start": "2024-03-01", "end": "2024-03-05"}
DAYS = between("order_date", "2024-03-01", "2024-03-05")


def test_a_column_that_the_model_no_longer_gives(shop: Shop, refreshed: Shop) -> None:
    """Replaced rows hold its default, the others what they held."""
    shop.sql("""
        alter table marts.fct_daily add column note text;
        alter table marts.fct_daily alter column note set default 'new';
        update marts.fct_daily set note = 'old'
    """)

    ended = shop.backfill("fct_daily", column="order_date", live="paused", **WINDOW)

    assert ended.status == 0, ended.printed
    assert "note is a column of the target that the model no longer gives" in " ".join(ended.printed.split())
    notes = f"select distinct ({DAYS}) is true, note from marts.fct_daily order by 1"
    assert shop.sql(notes) == [(False, "old"), (True, "new")]
    names = refreshed.columns("marts.fct_daily")
    assert shop.differing_rows(refreshed, "marts.fct_daily", DAYS, names) == 0


def test_columns_that_change_between_a_run_and_its_resume(shop: Shop) -> None:
    """The backup has the old ones: one line that says which, and how to go on; a new run then does the window."""
    given = {"column": "order_date", "run_id": "told", **WINDOW}
    assert shop.backfill("fct_daily", limits={"minutes": 0.0001}, **given).status == 1
    shop.sql("alter table marts.fct_daily add column note text")
    before = shop.checksums()
    ended = shop.backfill("fct_daily", **given)
    assert ended.status == 1
    assert ended.error == (
        'the columns of "shop"."marts"."fct_daily" have changed since run told began (new: note), and its backup has the old ones; '
        "end it: dbt run-operation cancel_backfill --args '{run_id: told}', then ask again"
    ), ended.printed
    assert shop.checksums() == before
    assert shop.operation("cancel_backfill", run_id="told").status == 0
    ended = shop.backfill("fct_daily", **{**given, "run_id": "anew"})
    assert ended.status == 0, ended.printed
