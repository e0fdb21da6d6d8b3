"""The clock that templates read: it stands still at the manifest's own time, so output does not change by
the day."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from .traced import Origin, Unknown, keep
from .tracer import origin_of

CLOCK = Origin("clock", "now")


def pinned(generated_at: str) -> dt.datetime:
    """The manifest's own time in UTC; a fixed one where it gives none."""
    text = generated_at.strip().replace("Z", "+00:00")
    head, dot, tail = text.partition(".")
    if dot:  # dbt 2.0 writes nanoseconds, which Python cannot read
        digits = tail[: len(tail) - len(tail.lstrip("0123456789"))]
        text = f"{head}.{digits[:6]:0<6}{tail[len(digits) :]}"
    try:
        time = dt.datetime.fromisoformat(text)
    except ValueError:
        time = dt.datetime(2025, 1, 1, 12, 34, 56, 789012)
    return time.astimezone(dt.timezone.utc) if time.tzinfo else time.replace(tzinfo=dt.timezone.utc)


def on_the_clock(time: dt.datetime) -> Any:
    return keep(time, CLOCK)


class DateFunctions:
    """`modules.datetime.datetime`: makes times, and reads the pinned clock."""

    def __init__(self, now: dt.datetime) -> None:
        self._now = now

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        made = dt.datetime(*args, **kwargs)
        return _traced(made, args)

    def now(self, tz: Any = None) -> Any:
        return on_the_clock(self._now.astimezone(tz) if tz is not None else self._now.replace(tzinfo=None))

    def utcnow(self) -> Any:
        return self.now()

    def today(self) -> Any:
        return self.now()

    def strptime(self, text: Any, form: Any) -> Any:
        if isinstance(text, Unknown):
            return text
        return _traced(dt.datetime.strptime(str(text), str(form)), (text,))

    def fromisoformat(self, text: Any) -> Any:
        return text if isinstance(text, Unknown) else _traced(dt.datetime.fromisoformat(str(text)), (text,))

    def fromtimestamp(self, seconds: Any, tz: Any = None) -> Any:
        made = dt.datetime.fromtimestamp(seconds, tz or dt.timezone.utc)
        return _traced(made if tz else made.replace(tzinfo=None), (seconds,))

    def utcfromtimestamp(self, seconds: Any) -> Any:
        return self.fromtimestamp(seconds)

    def combine(self, date: Any, time: Any) -> Any:
        return _traced(dt.datetime.combine(date, time), (date, time))

    def strftime(self, value: Any, form: str) -> Any:
        return value.strftime(form)

    @property
    def min(self) -> dt.datetime:
        return dt.datetime.min

    @property
    def max(self) -> dt.datetime:
        return dt.datetime.max


class DayFunctions:
    """`modules.datetime.date`."""

    def __init__(self, now: dt.datetime) -> None:
        self._now = now

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _traced(dt.date(*args, **kwargs), args)

    def today(self) -> Any:
        return on_the_clock(self._now).date()

    def fromisoformat(self, text: Any) -> Any:
        return text if isinstance(text, Unknown) else _traced(dt.date.fromisoformat(str(text)), (text,))

    @property
    def min(self) -> dt.date:
        return dt.date.min

    @property
    def max(self) -> dt.date:
        return dt.date.max


def _traced(made: Any, given: tuple[Any, ...]) -> Any:
    origin = origin_of(list(given))
    return keep(made, origin) if origin else made


class Zones:
    """`modules.pytz`: zones by name. Zone files come with Python; only names that it lists are read."""

    def timezone(self, name: Any) -> Any:
        return _Zone(ZoneInfo(str(name)))

    @property
    def utc(self) -> Any:
        return _Zone(ZoneInfo("UTC"))

    UTC = utc


class _Zone(dt.tzinfo):
    """A zone with pytz's two additions to `tzinfo`."""

    def __init__(self, zone: ZoneInfo) -> None:
        self._zone = zone

    @property
    def zone(self) -> str:
        return self._zone.key

    def localize(self, time: dt.datetime, is_dst: Any = False) -> Any:
        return time.replace(tzinfo=self)

    def normalize(self, time: dt.datetime, is_dst: Any = False) -> Any:
        return time.astimezone(self)

    def utcoffset(self, time: dt.datetime | None) -> dt.timedelta | None:
        return self._zone.utcoffset(time.replace(tzinfo=self._zone) if time else None)

    def dst(self, time: dt.datetime | None) -> dt.timedelta | None:
        return self._zone.dst(time.replace(tzinfo=self._zone) if time else None)

    def tzname(self, time: dt.datetime | None) -> str | None:
        return self._zone.tzname(time.replace(tzinfo=self._zone) if time else None)

    def fromutc(self, time: dt.datetime) -> dt.datetime:
        return self._zone.fromutc(time.replace(tzinfo=self._zone)).replace(tzinfo=self)

    def __str__(self) -> str:
        return self._zone.key
