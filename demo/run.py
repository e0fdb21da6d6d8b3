"""Sixty wrong days on real data: reprocessed, proved, killed, resumed and rolled back. `make demo`."""

from __future__ import annotations

import shutil
import sys

from dbt_process import WORK, DbtError, dbt
from history import the_table
from safe import the_kill, the_plan, the_rollback, the_run
from story import Story
from unsafe import the_unsafe_ways
from warehouse import Warehouse, unpack_flights


def main() -> int:
    """Tell the whole story; returns 0 when every claim holds."""
    story = Story()
    print("A safe backfill, on all 336,776 flights that left New York in 2013", flush=True)
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "warehouse").mkdir(parents=True)
    warehouse = Warehouse(WORK / "warehouse" / "flights.duckdb")
    try:
        dbt("deps", database=warehouse.file)
        the_table(story, warehouse, unpack_flights(WORK))
        refreshed = the_unsafe_ways(story, warehouse)
        wrong = warehouse.copy("wrong")
        the_plan(story, warehouse, wrong)
        the_run(story, warehouse, wrong, refreshed)
        the_kill(story, wrong.copy("killed"), wrong, refreshed)
        the_rollback(story, warehouse, wrong)
    except DbtError as failure:
        print(failure)
        return 1
    return story.end()


if __name__ == "__main__":
    sys.exit(main())
