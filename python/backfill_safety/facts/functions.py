"""What the functions of SQL do to a time, and which of them answer differently each time they are asked.

Names are those of the engines' documentation; sqlglot gives one node to the spellings that it knows, the others arrive as
`Anonymous` and are told by name.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlglot import exp

from .grain import Grain, grain_of, grain_of_format

_CLOCKS = (
    exp.CurrentTimestamp, exp.CurrentDate, exp.CurrentDatetime, exp.CurrentTime, exp.Localtimestamp, exp.Localtime,
    exp.CurrentTimestampLTZ,
)  # fmt: skip
_CLOCK_DAYS = {"today", "yesterday", "current_date", "curdate"}
_CLOCK_NAMES = _CLOCK_DAYS | {
    "now", "now64", "getdate", "getutcdate", "sysdate", "systimestamp", "sysdatetime", "sysutcdatetime", "clock_timestamp",
    "statement_timestamp", "transaction_timestamp", "timeofday", "get_current_timestamp", "utc_timestamp",
    "current_localtimestamp", "current_timestamp", "localtimestamp", "sysdatetimeoffset", "nowinblock",
}  # fmt: skip
_RANDOM = (exp.Rand, exp.Randn, exp.Randstr, exp.Shuffle)
_SEQUENCES = (exp.Seq1, exp.Seq2, exp.Seq4, exp.Seq8)
MAY_BE_RANDOM = (exp.Uuid, exp.Anonymous, exp.Column, *_SEQUENCES, *_RANDOM)
_RANDOM_NAMES = {
    "generateuuidv4", "generateuuidv7", "newid", "newsequentialid", "monotonically_increasing_id", "gen_random_uuid", "random",
    "rand", "rand32", "rand64", "uuid7", "uuidv7", "uuidv4", "nextval", "uuid_generate_v4", "uuid_generate_v1",
    "uuid_generate_v1mc", "randconstant", "randcanonical", "generateulid", "generatesnowflakeid", "generate_ulid",
}  # fmt: skip
_TRUNCATIONS = (exp.TimestampTrunc, exp.DateTrunc, exp.DatetimeTrunc, exp.TimeTrunc)
_DATES = (exp.Date, exp.TsOrDsToDate, exp.TsOrDiToDi)
_DATE_NAMES = {
    "to_date": Grain.DAY,
    "try_to_date": Grain.DAY,
    "todate": Grain.DAY,
    "todate32": Grain.DAY,
    "date": Grain.DAY,
}
_START_NAMES = {
    "tostartofminute": Grain.MINUTE, "tostartofhour": Grain.HOUR, "tostartofday": Grain.DAY, "tostartofweek": Grain.WEEK,
    "tomonday": Grain.WEEK, "tostartofmonth": Grain.MONTH, "tostartofquarter": Grain.QUARTER, "tostartofyear": Grain.YEAR,
    "toyyyymmdd": Grain.DAY, "toyyyymm": Grain.MONTH, "toyear": Grain.YEAR, "to_yyyymm": Grain.MONTH,
}  # fmt: skip


def name_of(node: exp.Expr) -> str:
    """A function's name in lower case, as the engine spells it where sqlglot keeps that."""
    if isinstance(node, exp.Anonymous):
        return str(node.this).lower()
    return node.sql_name().lower() if isinstance(node, exp.Func) else node.key


def is_clock(node: exp.Expr) -> bool:
    """Whether this very node asks the clock."""
    if isinstance(node, _CLOCKS):
        return True
    if isinstance(node, exp.Anonymous):
        return str(node.this).lower() in _CLOCK_NAMES and not any(
            e.find(exp.Column) for e in node.expressions
        )
    return (
        isinstance(node, exp.Column) and not node.table and node.name.lower() in ("sysdate", "systimestamp")
    )


def clock_grain(node: exp.Expr) -> Grain:
    """The grain of the boundary that a clock's answer lies on: a day for today, else a second."""
    day = isinstance(node, exp.CurrentDate) or (
        isinstance(node, exp.Anonymous) and str(node.this).lower() in _CLOCK_DAYS
    )
    return Grain.DAY if day else Grain.SECOND


def is_random(node: exp.Expr) -> bool:
    """Whether this very node gives another value each time: random numbers, new UUIDs, sequences."""
    if isinstance(node, exp.Uuid):
        return not node.args.get("this") and not node.args.get("name")
    if isinstance(node, exp.Anonymous):
        return str(node.this).lower() in _RANDOM_NAMES
    if isinstance(node, exp.Column):
        return bool(node.table) and node.name.lower() == "nextval"
    if isinstance(node, _SEQUENCES):
        return not _counts_generated(node)
    return isinstance(node, _RANDOM)


def _counts_generated(node: exp.Expr) -> bool:
    """Whether a running number counts generated rows alone: they are all alike, so it does not matter which gets which number."""
    select = node.find_ancestor(exp.Select)
    source = select.args.get("from_") if select is not None else None
    return source is not None and generates_rows(source.this) and not (select and select.args.get("joins"))


def generates_rows(node: exp.Expr) -> bool:
    """Whether this is `table(generator(…))`, whose rows nothing but a number tells apart."""
    return isinstance(node, exp.TableFromRows) and isinstance(node.this, exp.Generator)


class Step(NamedTuple):
    """A function of one value: the value inside, the grain it cuts to, the zone it moves to, and its name."""

    inner: exp.Expr
    grain: Grain | None = None
    zone: str | None = None
    name: str = ""


def step_of(node: exp.Expr) -> Step | None:
    """What a node does to the time inside it; None for what is no function of a single time."""
    if isinstance(node, (exp.Cast, exp.TryCast)):
        day = node.to.this in (exp.DataType.Type.DATE, exp.DataType.Type.DATE32)
        return Step(node.this, Grain.DAY if day else None, None, "cast")
    if isinstance(node, exp.Convert):
        to = node.this
        day = isinstance(to, exp.DataType) and to.this is exp.DataType.Type.DATE
        return Step(node.expression, Grain.DAY if day else None, None, "convert")
    if isinstance(node, _TRUNCATIONS):
        return Step(node.this, grain_of(text_of(node.args.get("unit"))), None, "date_trunc")
    if isinstance(node, _DATES):
        return (
            Step(node.this, Grain.DAY, text_of(node.args.get("zone")) or None, "date") if node.this else None
        )
    if isinstance(node, exp.Trunc):
        unit = (
            grain_of(text_of(node.args.get("decimals") or node.args.get("unit")))
            if node.args.get("decimals")
            else Grain.DAY
        )
        return Step(node.this, unit, None, "trunc")
    if isinstance(node, (exp.TimeToStr, exp.ToChar)):
        return Step(node.this, grain_of_format(text_of(node.args.get("format"))), None, "to_char")
    if isinstance(node, exp.AtTimeZone):
        return Step(node.this, None, text_of(node.args.get("zone")) or "?", "at time zone")
    if isinstance(node, exp.ConvertTimezone):
        zone = text_of(node.args.get("target_tz")) or "?"
        return (
            Step(node.args["timestamp"], None, zone, "convert_timezone")
            if node.args.get("timestamp")
            else None
        )
    if isinstance(node, exp.Datetime) and node.args.get("expression") is not None:
        return Step(node.this, None, text_of(node.expression) or "?", "datetime")
    if isinstance(node, exp.Extract):
        part = {"DATE": Grain.DAY, "YEAR": Grain.YEAR}.get(text_of(node.this).upper())
        return Step(node.expression, part, None, "extract")
    if isinstance(node, exp.Year):
        return Step(node.this, Grain.YEAR, None, "year")
    if isinstance(node, exp.DateBin):
        return Step(node.expression, _interval(node.this), None, "time_bucket")
    if isinstance(node, exp.Anonymous):
        return _named_step(node)
    return None


def _named_step(node: exp.Anonymous) -> Step | None:
    name, args = str(node.this).lower(), node.expressions
    if not args:
        return None
    if name == "tostartofinterval" and len(args) > 1:
        return Step(args[0], _interval(args[1]), None, name)
    grain = _DATE_NAMES.get(name) or _START_NAMES.get(name)
    return Step(args[0], grain, None, name) if grain else None


def _interval(node: exp.Expr) -> Grain | None:
    return grain_of(text_of(node.args.get("unit"))) if isinstance(node, exp.Interval) else None


def text_of(node: object) -> str:
    """The words of a literal, unit or identifier; "" for what has none."""
    if isinstance(node, exp.Neg):
        return text_of(node.this)
    if isinstance(node, (exp.Literal, exp.Var, exp.Identifier)):
        return str(node.this)
    if isinstance(node, exp.Expression):
        return node.name
    return str(node) if node else ""
