"""The units of a window tile it exactly and never overlap, in every grain and zone; the oracle is zoneinfo."""

from __future__ import annotations

import itertools
import json
from datetime import date, datetime, time, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from shop import Shop

ZONES = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Sao_Paulo",
    "America/St_Johns",
    "Asia/Beirut",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Africa/Cairo",
    "Pacific/Chatham",
    "Pacific/Apia",
    "Atlantic/Azores",
]
GRAINS = ["day", "week", "month", "quarter", "year"]
DAYS = st.dates(date(1995, 1, 1), date(2029, 12, 31))


def first_day(day: date, grain: str) -> date:
    """The first day of the unit that holds a day."""
    if grain == "week":
        return day - timedelta(days=day.isocalendar()[2] - 1)
    months = {"month": 1, "quarter": 3, "year": 12}.get(grain)
    return day if months is None else date(day.year, day.month - (day.month - 1) % months, 1)


def following(day: date, grain: str) -> date:
    """The first day of the next unit."""
    step = {"day": 1, "week": 7, "month": 32, "quarter": 100, "year": 370}[grain]
    return first_day(day + timedelta(days=step), grain)


def instant(day: date, zone: str) -> datetime:
    """When a local day begins, in UTC: the change itself where its midnight is skipped, the first where it comes twice."""
    return datetime.combine(day, time(), ZoneInfo(zone)).astimezone(timezone.utc).replace(tzinfo=None)


@st.composite
def windows(draw: st.DrawFn) -> dict[str, Any]:
    """A window of 1 to 40 units of some grain, zone and kind of column."""
    grain = draw(st.sampled_from(GRAINS))
    days = [first_day(draw(DAYS), grain)]
    for _ in range(draw(st.integers(1, 40 if grain in ("day", "week") else 12))):
        days.append(following(days[-1], grain))
    column_format = draw(st.sampled_from([None, None, None, "%Y%m%d", "%Y-%m-%d"]))
    kind = "text" if column_format else draw(st.sampled_from(["date", "timestamp", "timestamptz"]))
    zone = draw(st.sampled_from(ZONES))
    return {
        "grain": grain,
        "timezone": zone,
        "column_kind": kind,
        "column_format": column_format,
        "start": str(days[0]),
        "end": str(days[-1]),
        "days": [str(day) for day in days],
    }


@st.composite
def hours(draw: st.DrawFn) -> dict[str, Any]:
    """One to three local days in hours, changes of the clock among them."""
    zone = draw(st.sampled_from(ZONES))
    year = draw(st.integers(1995, 2029))
    changes = [
        day
        for day in (date(year, 1, 1) + timedelta(days=n) for n in range(365))
        if length(day, zone) != timedelta(hours=24)
    ]
    day = draw(st.sampled_from(changes) if changes else DAYS)
    end = day + timedelta(days=draw(st.integers(1, 3)))
    kind = draw(st.sampled_from(["timestamp", "timestamptz"]))
    return {
        "grain": "hour",
        "timezone": zone,
        "column_kind": kind,
        "column_format": None,
        "start": str(day),
        "end": str(end),
    }


@st.composite
def ranges(draw: st.DrawFn) -> dict[str, Any]:
    """Integer ranges."""
    grain = draw(st.integers(1, 10**6))
    first = grain * draw(st.integers(-50, 50))
    return {
        "grain": grain,
        "timezone": "UTC",
        "column_kind": "integer",
        "column_format": None,
        "start": first,
        "end": first + grain * draw(st.integers(1, 50)),
    }


def length(day: date, zone: str) -> timedelta:
    """How long a local day lasts."""
    return instant(day + timedelta(days=1), zone) - instant(day, zone)


def answers(shop: Shop, cases: list[dict[str, Any]]) -> list[tuple[list[str], list[str]]]:
    """(bounds, names) of each case, from the package's own macros."""
    ended = shop.operation("bounds_of", cases=cases)
    assert ended.status == 0, ended.printed
    found: list[tuple[list[str], list[str]]] = json.loads(ended.printed.strip().splitlines()[-1])
    return found


def many(number: int) -> Any:
    """Few dbt commands of many cases each."""
    return settings(
        max_examples=number,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


@pytest.fixture(scope="module")
def one(built: tuple[Shop, Shop], tmp_path_factory: pytest.TempPathFactory) -> Shop:
    """One database for all cases: nothing is written to it."""
    return built[0].copy(tmp_path_factory.mktemp("units"))


@many(6)
@given(cases=st.lists(windows(), min_size=40, max_size=80))
def test_calendar_units(one: Shop, cases: list[dict[str, Any]]) -> None:
    """Each bound is where the calendar of the zone has it, to the instant; units are named by their first local day."""
    for case, (bounds, names) in zip(cases, answers(one, cases), strict=True):
        days = [date.fromisoformat(day) for day in case["days"]]
        if case["column_format"]:
            expected = [day.strftime(case["column_format"]) for day in days]
        elif case["column_kind"] == "date":
            expected = [str(day) for day in days]
        else:
            expected = [str(instant(day, case["timezone"])) for day in days]
        assert bounds == expected, case
        skipped = case["column_kind"].startswith("timestamp") and case["timezone"] == "Pacific/Apia"
        assert sorted(bounds) == bounds, case
        assert skipped or len(set(bounds)) == len(bounds), case
        if not skipped:
            digits = {"month": 7, "quarter": 7, "year": 4}.get(case["grain"], 10)
            assert [name[:digits] for name in names] == [
                str(day)[:digits] for day in days[:-1]
            ] or "midnight" in clock(case, days), case


def clock(case: dict[str, Any], days: list[date]) -> str:
    """Where a midnight is skipped, the unit begins at one o'clock of the same day: the name still tells the day."""
    zone = ZoneInfo(case["timezone"])
    real = [
        datetime.combine(day, time(), zone).astimezone(timezone.utc).astimezone(zone).hour for day in days
    ]
    return "midnight" if any(real) else ""


@many(6)
@given(cases=st.lists(hours(), min_size=30, max_size=60))
def test_hours(one: Shop, cases: list[dict[str, Any]]) -> None:
    """Hours follow each other without gap from the first local midnight to the last, 23, 24 or 25 of them a day."""
    for case, (bounds, _) in zip(cases, answers(one, cases), strict=True):
        points = [datetime.fromisoformat(bound) for bound in bounds]
        first, last = (instant(date.fromisoformat(case[end]), case["timezone"]) for end in ("start", "end"))
        assert (points[0], points[-1]) == (first, last), case
        steps = [after - before for before, after in itertools.pairwise(points)]
        assert all(step == timedelta(hours=1) for step in steps[:-1]), case
        assert timedelta(0) < steps[-1] <= timedelta(hours=1), case


@many(3)
@given(cases=st.lists(ranges(), min_size=50, max_size=100))
def test_integer_ranges(one: Shop, cases: list[dict[str, Any]]) -> None:
    """From start to end in steps of the grain."""
    for case, (bounds, _) in zip(cases, answers(one, cases), strict=True):
        assert [int(bound) for bound in bounds] == list(
            range(case["start"], case["end"] + 1, case["grain"])
        ), case
