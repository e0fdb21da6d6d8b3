"""Contestants without a tool: plain Postgres. `python plain_postgres.py NAME`, with BENCHMARK_PORT."""

from __future__ import annotations

import os
import sys
from typing import Any

import psycopg2
from stopwatch import Stopwatch, report
from work import DAILY, days, in_days

INTO = "insert into main.daily (day, bucket, events, amount, users) "


def loop(cursor: Any) -> None:
    """One commit a day: delete, insert from the day's own rows."""
    for start, end in days():
        rows = DAILY.format(bounds=in_days("event_ts", "timestamp", start, end))
        cursor.execute(
            f"begin; delete from main.daily where {in_days('day', 'date', start, end)}; {INTO}{rows}; commit"
        )


def loop_with_backup(cursor: Any) -> None:
    """The same, keeping what it replaces."""
    cursor.execute("create table main.kept as select * from main.daily where false")
    for start, end in days():
        day = in_days("day", "date", start, end)
        rows = DAILY.format(bounds=in_days("event_ts", "timestamp", start, end))
        cursor.execute(
            f"begin; insert into main.kept select * from main.daily where {day};"
            f" delete from main.daily where {day}; {INTO}{rows}; commit"
        )


WAYS = {way.__name__: way for way in (loop, loop_with_backup)}

if __name__ == "__main__":
    connection = psycopg2.connect(
        host="127.0.0.1", port=int(os.environ["BENCHMARK_PORT"]), user="shop", dbname="bench"
    )
    connection.autocommit = True
    watch = Stopwatch()
    with watch.running():
        WAYS[sys.argv[1]](connection.cursor())
    connection.close()
    report(watch)
