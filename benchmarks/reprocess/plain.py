"""Contestants without a tool: plain DuckDB. `python plain.py NAME DATABASE`."""

from __future__ import annotations

import sys

import duckdb
from stopwatch import Stopwatch, report
from work import COPIED, DAILY, WHOLE, days, in_days


def loop(db: duckdb.DuckDBPyConnection) -> None:
    """One commit a day: delete, insert from the day's own rows."""
    for start, end in days():
        db.execute("begin")
        db.execute(f"delete from daily where {in_days('day', 'date', start, end)}")
        rows = DAILY.format(bounds=in_days("event_ts", "timestamp", start, end))
        db.execute(f"insert into daily {rows}")
        db.execute("commit")


def one_statement(db: duckdb.DuckDBPyConnection) -> None:
    """The whole table in one statement."""
    db.execute(f"create or replace table daily as {DAILY.format(bounds=WHOLE)}")


def copied_loop(db: duckdb.DuckDBPyConnection) -> None:
    """One commit a day of a table with one row for each source row."""
    for start, end in days():
        bounds = in_days("event_ts", "timestamp", start, end)
        db.execute("begin")
        db.execute(f"delete from copied where {bounds}")
        db.execute(f"insert into copied {COPIED.format(bounds=bounds)}")
        db.execute("commit")


def copied_loop_with_backup(db: duckdb.DuckDBPyConnection) -> None:
    """The same, keeping what it replaces."""
    db.execute("create table kept as from copied limit 0")
    for start, end in days():
        bounds = in_days("event_ts", "timestamp", start, end)
        db.execute("begin")
        db.execute(f"insert into kept from copied where {bounds}")
        db.execute(f"delete from copied where {bounds}")
        db.execute(f"insert into copied {COPIED.format(bounds=bounds)}")
        db.execute("commit")


WAYS = {way.__name__: way for way in (loop, one_statement, copied_loop, copied_loop_with_backup)}

if __name__ == "__main__":
    watch = Stopwatch()
    with duckdb.connect(sys.argv[2]) as connection:
        connection.execute("set enable_progress_bar = false")
        with watch.running():
            WAYS[sys.argv[1]](connection)
    report(watch)
