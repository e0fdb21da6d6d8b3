"""Names that plainly say time."""

from __future__ import annotations

import re

_WORDS = (
    "date|dates|day|days|dt|time|timestamp|datetime|hh|hour|hours|month|week|quarter|year|ts|at|on|created|updated|modified|inserted|"
    "loaded|ingested|synced|period|partitiontime|partitiondate|time_utc|epoch"
)
_TIME = re.compile(
    rf"^(?:_?(?:{_WORDS.replace('|at|on', '')})_?(?:ms|millis|us|ns|utc|key)?|"
    rf".*_(?:{_WORDS})_?(?:utc|local|key|tz|ltz|ntz|start|end|id|sk|ms|millis|us|ns)?|"
    r".+(?:date|timestamp|datetime)|"
    r"(?:created|updated|modified|inserted|loaded|ingested|event|block|load|start|report)_?(?:at|on|date|day|time|month|hour).*|"
    r"(?:date|day|month|week|hour|year)_(?!of_).*)$"
)
_NOT_TIME = re.compile(
    r"(?:time_?zone|_tz$|day_of|week_of|month_of|hour_of|lead_time|_times$|duration|elapsed|^is_|^has_|candidate|mandate|validate|"
    r"^update$|per_(?:day|hour|month|week|year)|(?:count|num|number|sum|avg|total|amount|price|rate|volume|pct|share)_|"
    r"_(?:count|amount|price|usd|volume|pct|seconds|minutes))"
)
_LOAD = re.compile(r"(?:insert|load|ingest|sync|extract|updated|modified|_etl|dbt_|processed|arriv|receiv)")


def says_time(name: str) -> bool:
    """Whether a column's name plainly says that it holds a date or a time: `paid_at`, `event_day`, `_inserted_timestamp`."""
    lowered = name.lower().strip("_")
    return bool(_TIME.match(lowered)) and not _NOT_TIME.search(lowered)


def says_load(name: str) -> bool:
    """Whether a column's name says when a row was loaded or changed, not when the thing happened."""
    return bool(_LOAD.search(name.lower()))


_VALID = re.compile(
    r"^(?:dbt_)?(?:valid|effective|eff|active)_?(?:from|start|begin|at|on|date|dt)|^(?:scd_)?valid_|_valid_from$"
)


def says_valid_from(name: str) -> bool:
    """Whether a column's name says since when a row of a look-up table holds."""
    return bool(_VALID.search(name.lower())) and not name.lower().endswith(("_to", "_until", "_end"))


_WINDOW = ("start", "end", "from", "to_", "since", "until", "begin", "window", "first", "last")


def says_window(name: str) -> bool:
    """Whether a var's name says that it is one end of a window: `start_date`, `first_no`, `to_seq`."""
    lowered = name.lower()
    return any(word in lowered for word in _WINDOW)


_HOUR = re.compile(r"(?:^|_)(?:hh|hr|hours?|minutes?)$")


def says_hour(name: str) -> bool:
    """Whether a column's name says that it is a part of a day: `hh`, `event_hour`."""
    return bool(_HOUR.search(name.lower()))


_CALENDAR = re.compile(r"(?:^|_)(?:date|day|hour|week|month|quarter|year)s?(?:_key|_id)?$")


def says_calendar(name: str) -> bool:
    """Whether a column's name says that it is a span of the calendar: `sales_day`, `month`."""
    return bool(_CALENDAR.search(name.lower())) and not says_load(name)
