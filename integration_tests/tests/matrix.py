"""The combinations of P1: a model's shape, the arguments, and the window in SQL that owes nothing to the macros."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any
from zoneinfo import ZoneInfo


@dataclass(frozen=True)
class Combination:
    """`window` holds for the rows that are reprocessed; `spoil` is a column whose values are spoiled beforehand."""

    model: str
    arguments: dict[str, Any]
    window: str
    relation: str = ""
    column: str = ""
    spoil: str = "amount"
    repeats: bool = True
    units: int = 0
    but: str = ""

    @property
    def table(self) -> str:
        """Schema and table of the target."""
        return self.relation or f"marts.{self.model}"

    @property
    def name(self) -> str:
        """What pytest calls it."""
        words = [f"{key}={value}" for key, value in self.arguments.items() if key not in ("column",)]
        return "-".join([self.model, *words]).replace(" ", "").replace("/", ".")[:110]


@dataclass
class Matrix:
    """Collects combinations."""

    all: list[Combination] = field(default_factory=list)

    def add(self, model: str, window: str, arguments: dict[str, Any], **rest: Any) -> None:
        """One more combination."""
        self.all.append(Combination(model, arguments, window, **rest))


def between(column: str, start: str, end: str, kind: str = "date") -> str:
    """A half-open range of a column, in SQL that every warehouse knows."""
    return f"{column} >= {kind} '{start}' and {column} < {kind} '{end}'"


def zoned(column: str, start: str, end: str, zone: str, kind: str = "timestamptz") -> str:
    """A half-open range of wall times of a zone, as absolute time."""
    ends = []
    for text in (start, end):
        local = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))
        ends.append(
            local.astimezone(timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
            + ("+00" if kind == "timestamptz" else "")
        )
    return between(column, *ends, kind)


def combinations() -> list[Combination]:
    """All of them."""
    matrix = Matrix()
    _strategies(matrix)
    _zones(matrix)
    _keys(matrix)
    _parents(matrix)
    _jinja(matrix)
    _shapes(matrix)
    _imports(matrix)
    return matrix.all


def _strategies(matrix: Matrix) -> None:
    def daily(start: str, end: str, **arguments: Any) -> None:
        units = arguments.pop("units", 0)
        window = arguments.pop("window", between("order_date", start, end))
        last = {} if "through" in arguments else {"end": end}
        matrix.add(
            "fct_daily", window, {"start": start, "column": "order_date"} | last | arguments, units=units
        )

    daily("2024-02-27", "2024-03-03", units=5)
    daily("2024-02-27", "2024-03-03", read="per_unit", units=5)
    daily("2024-02-27", "2024-03-03", inputs={"stg_events": "event_ts"}, units=5)
    daily(
        "2024-02-26",
        "2024-03-04",
        inputs={"stg_events": {"column": "event_ts", "lookback": "2 days", "lookahead": "6 hours"}},
    )
    daily("2024-02-26", "2024-03-11", grain="week", units=2)
    daily("2024-02-01", "2024-05-01", grain="month", units=3)
    daily("2024-01-01", "2024-07-01", grain="quarter", units=2)
    daily("2024-01-01", "2025-01-01", grain="year", units=1)
    daily("2024-03-01", "2024-03-11", through="2024-03-10", units=10)
    daily("2024-02-01", "2024-04-01", through="2024-03-01", grain="month", units=2)
    daily("2024-03-01", "2024-03-06", order="descending", units=5)
    daily("2024-03-01", "2024-03-21", units_per_commit=7, units=20)
    daily("2024-03-01", "2024-04-10", units_per_commit="auto", read="per_unit", units=40)
    daily("2024-03-01", "2024-03-05", backup=False)
    daily("2024-03-01", "2024-03-06", expect={"not_null": ["country"], "unique": True}, units=5)
    daily(
        "2024-03-01",
        "2024-03-08",
        expect={"not_null": "country"},
        units_per_commit=3,
        read="per_unit",
        units=7,
    )
    daily("2024-03-01", "2024-03-04", expect={"unique": True}, backup=False, order="descending", units=3)
    skipped = between("order_date", "2024-03-01", "2024-03-06") + " and order_date <> date '2024-03-03'"
    daily("2024-03-01", "2024-03-06", skip_units=["2024-03-03"], window=skipped, units=4)
    narrowed = between("order_date", "2024-03-01", "2024-03-06") + " and country in ('DE', 'AT')"
    daily("2024-03-01", "2024-03-06", where={"country": ["DE", "AT"]}, window=narrowed, units=5)
    daily(
        "2024-03-01",
        "2024-03-04",
        where={"country": "CH"},
        window=between("order_date", "2024-03-01", "2024-03-04") + " and country = 'CH'",
    )
    daily("2024-12-20", "2024-12-30", units=10)
    matrix.add(
        "fct_daily",
        "order_date in (date '2024-03-01', date '2024-05-05')",
        {"values": ["2024-03-01", "2024-05-05"], "column": "order_date"},
        units=2,
    )
    for read in ("once", "per_unit"):
        matrix.add(
            "fct_merge",
            between("event_ts", "2024-02-10", "2024-02-15", "timestamp"),
            {"start": "2024-02-10", "end": "2024-02-15", "column": "event_ts", "read": read},
            units=5,
        )
    matrix.add(
        "fct_append",
        between("event_ts", "2024-02-10", "2024-02-12", "timestamp"),
        {
            "start": "2024-02-10",
            "end": "2024-02-12",
            "column": "event_ts",
            "inputs": {"stg_events": "event_ts"},
        },
    )
    matrix.add(
        "fct_append",
        between("event_ts", "2024-02-10 06:00:00", "2024-02-10 12:00:00", "timestamp"),
        {"start": "2024-02-10 06:00:00", "end": "2024-02-10T12:00:00", "grain": "hour", "column": "event_ts"},
        units=6,
    )
    # dbt runs a microbatch model's hooks in its first and last batch alone: they guard nothing, so its schedule is paused
    matrix.add(
        "fct_batch_day",
        between("event_ts", "2024-10-26", "2024-10-29", "timestamp"),
        {"start": "2024-10-26", "end": "2024-10-29", "live": "paused"},
        units=3,
    )
    matrix.add(
        "fct_batch_month",
        between("order_date", "2024-02-01", "2024-04-01"),
        {"start": "2024-02-01", "end": "2024-04-01", "inputs": {"stg_events": "event_ts"}, "live": "paused"},
        units=2,
    )
    matrix.add(
        "fct_batch_month",
        between("order_date", "2024-02-01", "2024-04-01"),
        {"start": "2024-02-01", "end": "2024-04-01", "grain": "month", "live": "paused"},
        units=2,
    )
    matrix.add(
        "tbl_daily",
        between("order_date", "2024-03-01", "2024-03-08"),
        {"start": "2024-03-01", "end": "2024-03-08", "column": "order_date"},
        units=7,
    )
    matrix.add(
        "tbl_daily",
        between("order_date", "2024-03-04", "2024-03-18"),
        {
            "start": "2024-03-04",
            "end": "2024-03-18",
            "column": "order_date",
            "grain": "week",
            "read": "per_unit",
        },
        units=2,
    )


def _zones(matrix: Matrix) -> None:
    def seen(start: str, end: str, zone: str, grain: str, units: int, kind: str = "timestamptz") -> None:
        model, column = ("fct_zoned", "seen_at") if kind == "timestamptz" else ("fct_merge", "event_ts")
        arguments = {
            "start": start,
            "end": end,
            "grain": grain,
            "timezone": zone,
            "column": column,
            "units_per_commit": 5,
        }
        matrix.add(model, zoned(column, start, end, zone, kind), arguments, units=units)

    seen("2024-03-31", "2024-04-01", "Europe/Berlin", "hour", 23)
    seen("2024-10-27", "2024-10-28", "Europe/Berlin", "hour", 25)
    seen("2024-03-30", "2024-04-02", "Europe/Berlin", "day", 3)
    seen("2024-10-26", "2024-10-29", "Europe/Berlin", "day", 3, "timestamp")
    seen("2024-03-09", "2024-03-12", "America/New_York", "day", 3)
    seen("2024-10-28", "2024-11-11", "America/New_York", "week", 2)
    seen("2024-03-30", "2024-04-02", "Asia/Beirut", "day", 3)
    seen("2024-02-01", "2024-04-01", "Asia/Kolkata", "month", 2)
    seen("2024-04-01", "2024-10-01", "Australia/Lord_Howe", "quarter", 2, "timestamp")


def _keys(matrix: Matrix) -> None:
    text = {"column": "day_key", "column_format": "%Y-%m-%d"}
    matrix.add(
        "fct_text_day",
        "day_key >= '2024-02-27' and day_key < '2024-03-02'",
        text | {"start": "2024-02-27", "end": "2024-03-02"},
        units=4,
    )
    matrix.add(
        "fct_text_day",
        "day_key >= '2024-02-27' and day_key < '2024-03-02'",
        text | {"start": "2024-02-27", "end": "2024-03-02", "inputs": {"stg_events": "event_ts"}},
        units=4,
    )
    matrix.add(
        "fct_text_day",
        "month_key in ('202402', '202403')",
        {
            "column": "month_key",
            "column_format": "%Y%m",
            "grain": "month",
            "start": "2024-02-01",
            "end": "2024-04-01",
        },
        units=2,
    )
    matrix.add(
        "fct_text_hour",
        "hour_key >= '20240310T05' and hour_key < '20240310T11'",
        {
            "column": "hour_key",
            "column_format": "%Y%m%dT%H",
            "grain": "hour",
            "start": "2024-03-10 05:00:00",
            "end": "2024-03-10 11:00:00",
        },
        units=6,
    )
    matrix.add(
        "fct_integer_day",
        "day_key between 20240228 and 20240302",
        {"column": "day_key", "column_format": "%Y%m%d", "start": "2024-02-28", "through": "2024-03-02"},
        units=4,
    )
    matrix.add(
        "fct_integer_day",
        "day_key >= 20240201 and day_key < 20240401",
        {
            "column": "day_key",
            "column_format": "%Y%m%d",
            "start": "2024-02-01",
            "end": "2024-04-01",
            "grain": "month",
        },
        units=2,
    )
    matrix.add(
        "fct_ranges",
        "event_id >= 500 and event_id < 1500",
        {"column": "event_id", "grain": 250, "start": 500, "end": 1500},
        units=4,
    )
    matrix.add(
        "fct_ranges",
        "event_id >= 1000 and event_id < 1300",
        {
            "column": "event_id",
            "grain": 100,
            "start": 1000,
            "through": 1299,
            "inputs": {"stg_events": {"column": "event_id", "lookback": 10}},
        },
        units=3,
    )
    matrix.add("fct_lists", "country in ('DE', 'CH')", {"column": "country", "values": ["DE", "CH"]}, units=2)
    matrix.add(
        "fct_lists",
        "tenant in (2, 5)",
        {"column": "tenant", "values": [2, "5"], "inputs": {"stg_events": "tenant"}},
        units=2,
    )
    matrix.add(
        "fct_lists", "country in ('DE')", {"column": "country", "grain": "value", "values": ["DE"]}, units=1
    )


def _daily(matrix: Matrix, model: str, **arguments: Any) -> None:
    rest = {key: arguments.pop(key) for key in ("relation", "spoil", "repeats", "but") if key in arguments}
    given = {"start": "2024-03-01", "end": "2024-03-05", "column": "order_date"} | arguments
    matrix.add(model, between("order_date", "2024-03-01", "2024-03-05"), given, units=4, **rest)


def _rows(matrix: Matrix, model: str, **arguments: Any) -> None:
    rest = {key: arguments.pop(key) for key in ("relation", "spoil", "repeats", "but") if key in arguments}
    given = {"start": "2024-03-01", "end": "2024-03-04", "column": "event_ts"} | arguments
    matrix.add(model, between("event_ts", "2024-03-01", "2024-03-04", "timestamp"), given, units=3, **rest)


def _parents(matrix: Matrix) -> None:
    bounded = {"stg_events": "event_ts"}
    for model in ("fct_ephemeral", "fct_chained"):
        _daily(matrix, model)
        _daily(matrix, model, inputs=bounded)
    for model in ("fct_parent_alias", "fct_parent_plain", "fct_parent_qualified"):
        _rows(matrix, model, inputs=bounded)
    _rows(matrix, "fct_parent_qualified", read="once")
    joined = {"stg_events": "event_ts", "raw.events": "event_ts", "fct_merge": "event_ts"}
    _rows(matrix, "fct_parent_joined", read="per_unit", spoil="amount", but="day_amount")
    _rows(matrix, "fct_parent_joined", inputs=joined, but="day_amount")
    _rows(matrix, "fct_parent_lookback", inputs={"raw.events": {"column": "event_ts", "lookback": "3 days"}})
    _rows(matrix, "fct_parent_lookback")


def _jinja(matrix: Matrix) -> None:
    for model in (
        "fct_macro_filter",
        "fct_query",
        "fct_config",
        "fct_vars",
        "fct_unit_vars",
        "fct_header",
        "fct_header_config",
        "fct_comment",
        "fct_semicolon",
    ):
        _daily(matrix, model)
    for model in ("fct_query", "fct_header", "fct_comment", "fct_with"):
        _daily(matrix, model, inputs={"stg_events": "event_ts"})
    _daily(matrix, "fct_with", spoil="amount")
    _daily(matrix, "fct_header", read="per_unit")
    _rows(matrix, "fct_query_this")
    _daily(matrix, "loyalty.loyalty_points", relation="marts.loyalty_points", spoil="points")
    _daily(
        matrix,
        "model.loyalty.loyalty_points",
        relation="marts.loyalty_points",
        spoil="points",
        inputs={"loyalty_raw.events": "event_ts"},
    )


def _shapes(matrix: Matrix) -> None:
    _daily(matrix, "fct_versioned", version=1, relation="marts.fct_versioned_v1")
    _daily(matrix, "fct_versioned", relation="marts.fct_versioned_v2")
    _daily(matrix, "fct_versioned.v1", relation="marts.fct_versioned_v1")
    _daily(matrix, "fct_of_version", but="amount")
    _daily(matrix, "fct_alias", relation="marts_finance.order_facts")
    reserved = {"start": "2024-03-01", "end": "2024-03-05", "column": "order"}
    matrix.add(
        "fct_reserved",
        between('"order"', "2024-03-01", "2024-03-05"),
        reserved,
        relation='marts."group"',
        spoil='"select"',
        units=4,
    )
    matrix.add(
        "fct_reserved",
        between('"order"', "2024-03-01", "2024-03-05"),
        reserved | {"read": "per_unit"},
        relation='marts."group"',
        spoil='"select"',
        units=4,
    )
    _daily(matrix, "fct_reordered", spoil="orders")
    _daily(matrix, "fct_new_column", spoil="orders", repeats=False)
    _daily(matrix, "fct_new_column", spoil="orders", read="per_unit")
    for model in ("fct_constrained", "fct_indexed"):
        _daily(matrix, model, repeats=False)
        _daily(matrix, model, repeats=False, read="per_unit")


def _imports(matrix: Matrix) -> None:
    _daily(matrix, "fct_window")
    _daily(matrix, "fct_window", units_per_commit=2)
    _rows(matrix, "fct_window_lookback")
    _rows(matrix, "fct_watermark")
    _daily(matrix, "fct_window_wide", spoil="orders")
    _daily(matrix, "fct_is_backfill", but="written_by")
