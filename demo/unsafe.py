"""The four ways in which sixty days are usually reprocessed by hand, and what each does."""

from __future__ import annotations

from history import WINDOW, figures, run_model
from story import Story
from warehouse import TABLE, Warehouse


def the_unsafe_ways(story: Story, warehouse: Warehouse) -> Warehouse:
    """Try each way on a copy of the database; returns the copy that was fully refreshed."""
    story.chapter("What people do by hand, each tried on a copy of the database")
    refreshed = _full_refresh(story, warehouse)
    _insert(story, warehouse, refreshed)
    _delete_and_wait(story, warehouse)
    _move_the_watermark(story, warehouse)
    return refreshed


def _full_refresh(story: Story, warehouse: Warehouse) -> Warehouse:
    copy = warehouse.copy("full_refresh")
    run_model(copy, "--full-refresh")
    before, after = figures(warehouse), figures(copy)
    wrong = warehouse.differing_rows(copy, WINDOW) // 2
    days = before.days - after.days
    story.way(
        "dbt run --full-refresh",
        f"""mends the {wrong:,} wrong rows; but the source keeps eleven months, so January is gone for ever:
        {days} days, {before.rows - after.rows:,} rows.""",
        holds=days == 31 and wrong > 0,
    )
    return copy


def _insert(story: Story, warehouse: Warehouse, refreshed: Warehouse) -> None:
    copy = warehouse.copy("inserted")
    right_rows = f"from right_rows.{TABLE} where {WINDOW}"
    copy.run(f"attach '{refreshed.file}' as right_rows (read_only)", f"insert into {TABLE} {right_rows}")
    twice = figures(copy).flights - figures(warehouse).flights
    story.way(
        "insert into … select …, for the sixty days",
        f"leaves the wrong rows beside the right ones: {twice:,} flights are counted twice.",
        holds=twice == figures(warehouse, WINDOW).flights,
    )


def _delete_and_wait(story: Story, warehouse: Warehouse) -> None:
    copy = warehouse.copy("deleted")
    copy.run(f"delete from {TABLE} where {WINDOW}")
    run_model(copy)
    days = figures(warehouse).days - figures(copy).days
    story.way(
        "delete from … where …, and let the scheduled dbt run fill the sixty days in",
        f"fills in nothing, for the watermark stands at 31 December: {days} days stay empty.",
        holds=days == 60,
    )


def _move_the_watermark(story: Story, warehouse: Warehouse) -> None:
    copy = warehouse.copy("rewound")
    copy.run(f"delete from {TABLE} where flight_date >= date '2013-03-02'")
    meanwhile = figures(copy)
    run_model(copy)
    days = figures(copy).days - meanwhile.days
    missing = figures(warehouse).flights - meanwhile.flights
    story.way(
        "delete everything since 2 March, which moves the watermark back, then dbt run",
        f"""rebuilds {days} days for the sake of 60 and cannot be undone; until it ends, readers find
        {missing:,} flights missing.""",
        holds=days == 305 and missing > 0,
    )
