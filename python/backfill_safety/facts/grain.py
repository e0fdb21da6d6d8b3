"""Grains of time, and which of them a boundary lies on."""

from __future__ import annotations

import re
from datetime import datetime, time
from enum import IntEnum


class Grain(IntEnum):
    """From fine to coarse. Weeks do not tile months; see `lies_on`."""

    SECOND = 1
    MINUTE = 2
    HOUR = 3
    DAY = 4
    WEEK = 5
    MONTH = 6
    QUARTER = 7
    YEAR = 8

    @property
    def word(self) -> str:
        return self.name.lower()

    def lies_on(self, other: Grain) -> bool:
        """Whether every boundary of this grain is one of `other`: a month's is a day's, but no week's."""
        if other is Grain.WEEK:
            return self is Grain.WEEK
        return self >= other


_ABBREVIATIONS = {
    "d": Grain.DAY, "dd": Grain.DAY, "dayofmonth": Grain.DAY, "date": Grain.DAY, "h": Grain.HOUR, "hh": Grain.HOUR,
    "hh24": Grain.HOUR, "mi": Grain.MINUTE, "min": Grain.MINUTE, "s": Grain.SECOND, "sec": Grain.SECOND,
    "mon": Grain.MONTH, "mm": Grain.MONTH, "w": Grain.WEEK, "ww": Grain.WEEK, "isoweek": Grain.WEEK, "iw": Grain.WEEK,
    "q": Grain.QUARTER, "qtr": Grain.QUARTER, "y": Grain.YEAR, "yy": Grain.YEAR, "yyyy": Grain.YEAR, "isoyear": Grain.YEAR,
    "millisecond": Grain.SECOND, "microsecond": Grain.SECOND, "nanosecond": Grain.SECOND, "epoch": Grain.SECOND,
}  # fmt: skip


def grain_of(unit: str) -> Grain | None:
    """The grain that a unit names, in any of the spellings of SQL: `DAY`, `days`, `hh24`, `week(monday)`; else None."""
    word = unit.strip().strip("'\"").lower().partition("(")[0]
    for name in (word, word.rstrip("s")):
        if name in _ABBREVIATIONS:
            return _ABBREVIATIONS[name]
        if name.upper() in Grain.__members__:
            return Grain[name.upper()]
    return None


def finer(one: Grain | None, other: Grain | None) -> Grain | None:
    """The coarsest grain on which what lies on both still lies: a week before a month's first is a day. None when either is unknown."""
    if one is None or other is None:
        return None
    fine, coarse = sorted((one, other))
    return Grain.DAY if fine is Grain.WEEK and coarse is not Grain.WEEK else fine


_MOMENT = re.compile(
    r"^(\d{4})-?(\d\d)(?:-?(\d\d))?(?:[T ](\d\d):?(\d\d)(?::?(\d\d(?:\.\d+)?))?)?\s*(?:Z|UTC|[+-]00:?00)?$"
)


def is_moment(text: str) -> bool:
    """Whether a literal is a date or a time: `2024-01-01`, `20240101`, `2024-01-01 06:00:00`, `2024-01`."""
    found = _MOMENT.match(text.strip())
    return bool(found) and 1 <= int(found[2]) <= 12 and "1900" <= found[1] <= "2999"  # type: ignore[index]


def boundary_of(text: str) -> Grain | None:
    """The coarsest grain but weeks on whose boundary a literal lies; None when it is no date or time."""
    found = _MOMENT.match(text.strip())
    if not found:
        return None
    _, month, day, hour, minute, second = found.groups()
    for part, grain in ((second, Grain.SECOND), (minute, Grain.MINUTE), (hour, Grain.HOUR)):
        if part and float(part):
            return grain
    if day not in (None, "01"):
        return Grain.DAY
    return {1: Grain.YEAR, 4: Grain.QUARTER, 7: Grain.QUARTER, 10: Grain.QUARTER}.get(int(month), Grain.MONTH)


def may_begin_week(text: str) -> bool:
    """Whether a literal is the midnight of a Monday or a Sunday: engines and settings differ on which of them begins a week."""
    moment = moment_of(text)
    return moment is not None and moment.weekday() in (0, 6) and moment.time() == time()


def moment_of(text: str) -> datetime | None:
    """The date or time that a literal stands for, without its zone; None when it is none."""
    found = _MOMENT.match(text.strip())
    if not found:
        return None
    year, month, day, hour, minute, second = found.groups()
    try:
        return datetime(
            int(year), int(month), int(day or 1), int(hour or 0), int(minute or 0), int(float(second or 0))
        )
    except ValueError:
        return None


def span(count: float, unit: Grain) -> Grain:
    """The grain that a step of `count` units keeps: 48 hours keep days, 36 hours keep hours, 14 days keep weeks, 3 months quarters."""
    if unit is Grain.MONTH and count and count % 3 == 0:
        return Grain.QUARTER if count % 12 else Grain.YEAR
    if unit is Grain.QUARTER and count and count % 4 == 0:
        return Grain.YEAR
    if unit is Grain.DAY and count and count % 7 == 0:
        return Grain.WEEK
    if unit is Grain.HOUR and count % 24 == 0:
        return span(count / 24, Grain.DAY)
    if unit is Grain.MINUTE and count % 60 == 0:
        return span(count / 60, Grain.HOUR)
    if unit is Grain.SECOND and count % 60 == 0:
        return span(count / 60, Grain.MINUTE)
    return unit


_FORMATS = (
    ("%S", Grain.SECOND), ("SS", Grain.SECOND), ("%M", Grain.MINUTE), ("MI", Grain.MINUTE), ("%H", Grain.HOUR),
    ("HH", Grain.HOUR), ("%d", Grain.DAY), ("DD", Grain.DAY), ("%F", Grain.DAY), ("dd", Grain.DAY),
    ("%m", Grain.MONTH), ("MM", Grain.MONTH), ("%Y", Grain.YEAR), ("YYYY", Grain.YEAR), ("yyyy", Grain.YEAR),
)  # fmt: skip


def grain_of_format(text: str) -> Grain | None:
    """The grain that a date written in this format keeps: `%Y%m%d` a day, `YYYY-MM` a month."""
    return next((grain for sign, grain in _FORMATS if sign in text), None)
