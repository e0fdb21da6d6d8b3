"""The work that every contestant does: 365 days of events into day × 50 buckets, replaced day by day."""

from __future__ import annotations

from datetime import date, timedelta

FIRST = date(2024, 1, 1)
DAYS = 365
END = FIRST + timedelta(days=DAYS)

# What stands in models/daily.sql and models/copied.sql, for the contestants that run without dbt.
DAILY = (
    "select cast(event_ts as date) as day, bucket, count(*) as events, sum(amount) as amount,"
    " count(distinct user_id) as users from raw.events where {bounds} group by 1, 2"
)
COPIED = (
    "select event_id, event_ts, user_id, bucket, amount, amount * 2 as doubled from raw.events where {bounds}"
)


def days() -> list[tuple[date, date]]:
    """Start and end (not included) of each day of the window."""
    return [(FIRST + timedelta(days=n), FIRST + timedelta(days=n + 1)) for n in range(DAYS)]


def in_days(column: str, kind: str, start: date, end: date) -> str:
    """A predicate with literals of the column's own type, so that the engine prunes by it."""
    return f"{column} >= {kind} '{start}' and {column} < {kind} '{end}'"


WHOLE = in_days("event_ts", "timestamp", FIRST, END)
