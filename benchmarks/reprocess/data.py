"""Makes the databases: `raw.events` in the order of time, and the tables that are to be reprocessed."""

from __future__ import annotations

from pathlib import Path

import duckdb
from work import COPIED, DAILY, DAYS, FIRST, WHOLE

HOURS = 100_000


def make_events(file: Path, rows: int) -> None:
    """`raw.events` with this many rows, spread evenly; kept when it is there already."""
    if file.exists():
        return
    part = file.with_suffix(".part")
    part.unlink(missing_ok=True)
    with duckdb.connect(str(part)) as db:
        db.execute("set enable_progress_bar = false")
        db.execute("create schema raw")
        db.execute(
            f"""
            create table raw.events as
            select i as event_id,
                   timestamp '{FIRST}' + to_microseconds(
                       (i * ({DAYS} * 86400000000::hugeint) // {rows})::bigint
                   ) as event_ts,
                   (hash(i) % 1000000)::int as user_id,
                   (hash(i + 7) % 50)::int as bucket,
                   (hash(i + 13) % 100000)::int as amount
            from range({rows}) as t(i)
            """
        )
        db.execute(f"create table raw.daily_now as {DAILY.format(bounds=WHOLE)}")
    part.rename(file)


def make_readings(file: Path, hours: int = HOURS) -> None:
    """`raw.readings`: one row an hour from 2013 on, for plans and runs of very many units."""
    if file.exists():
        return
    part = file.with_suffix(".part")
    part.unlink(missing_ok=True)
    with duckdb.connect(str(part)) as db:
        db.execute("create schema raw")
        db.execute(
            "create table raw.readings as select timestamp '2013-01-01' + to_hours(i::int) as read_at,"
            f" i % 97 as value from range({hours}) as t(i)"
        )
        db.execute(
            "create table hourly as select date_trunc('hour', read_at) as hour, count(*) as readings,"
            " sum(value) as total from raw.readings group by 1"
        )
    part.rename(file)


def reset(file: Path, *, copied: bool = False) -> None:
    """The targets as they were, without anything a run left behind, written back to the file."""
    with duckdb.connect(str(file)) as db:
        left = db.execute(
            "select database_name, schema_name, table_name from duckdb_tables()"
            " where schema_name <> 'raw' and table_name <> 'hourly'"
        ).fetchall()
        for _, schema, table in left:
            db.execute(f'drop table "{schema}"."{table}" cascade')
        if file.stem.startswith("events"):
            db.execute("create table daily as from raw.daily_now")
            db.execute("create table daily_microbatch as from raw.daily_now")
            if copied:
                db.execute(f"create table copied as {COPIED.format(bounds=WHOLE)}")
        db.execute("checkpoint")
