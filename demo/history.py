"""How the table came to be wrong: flights arrive, the scheduled job runs, for sixty days with a bug."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from dbt_process import dbt
from story import Story
from warehouse import TABLE, Warehouse, load_flights

MODEL = "fct_daily_flights"
WINDOW = "flight_date >= date '2013-03-02' and flight_date < date '2013-05-01'"


def run_model(warehouse: Warehouse, *arguments: str, models: str = "models") -> None:
    dbt("run", "--select", MODEL, *arguments, database=warehouse.file, models=models)


def make_history(warehouse: Warehouse, csv: Path) -> None:
    """Let the flights arrive and the scheduled job run: right, then sixty days with the bug, then right."""
    load_flights(warehouse, csv)
    for since, until, models in (
        ("2013-01-01", "2013-03-01", "models"),
        ("2013-03-02", "2013-04-30", "models_with_bug"),
        ("2013-05-01", "2013-12-31", "models"),
    ):
        arrived = f"from landing.flights where flight_date between date '{since}' and date '{until}'"
        warehouse.run(f"insert into raw.flights {arrived}")
        run_model(warehouse, models=models)
    warehouse.run(
        "drop table landing.flights",
        "create or replace table raw.flights as from raw.flights where flight_date >= date '2013-02-01'",
    )


class Figures(NamedTuple):
    """How much the table holds."""

    days: int
    rows: int
    flights: int


def figures(warehouse: Warehouse, where: str = "true") -> Figures:
    """How much of the table lies under `where`."""
    counts = "count(distinct flight_date), count(*), coalesce(sum(flights), 0)::bigint"
    return Figures(*warehouse.rows(f"select {counts} from {TABLE} where {where}")[0])


def the_table(story: Story, warehouse: Warehouse, csv: Path) -> None:
    """Make the table with its sixty wrong days, and say what happened."""
    story.chapter("The table, and what went wrong with it")
    make_history(warehouse, csv)
    now = figures(warehouse)
    story.say(
        f"""{MODEL} holds one row for each day and carrier: {now.days} days, {now.rows:,} rows,
        {now.flights:,} flights. A scheduled `dbt run` adds the new days, with an ordinary watermark:"""
    )
    story.show(["where flight_date > (select max(flight_date) from {{ this }})"])
    story.say(
        "From 2 March to 30 April the model rounded each flight to whole hours before it added them up:"
    )
    story.show(
        [
            "sum(round(air_time / 60.0))     as hours_in_air    in those sixty days",
            "round(sum(air_time) / 60.0, 1)  as hours_in_air    before and since",
        ]
    )
