"""What the functions of SQL do to a time, and which of them answer differently each time they are asked.

Names are those of the engines' documentation; sqlglot gives one node to the spellings that it knows, the others arrive as
`Anonymous` and are told by name.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlglot import exp

from .grain import Grain, grain_of, grain_of_format, span

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
_MOMENTS = (
    exp.Timestamp,
    exp.Datetime,
    exp.TsOrDsToDatetime,
    exp.TsOrDsToTimestamp,
    exp.StrToTime,
    exp.FromISO8601Timestamp,
)
_MOMENT_NAMES = {
    "todatetime",
    "todatetime64",
    "parsedatetimebesteffort",
    "parsedatetime64besteffort",
    "to_timestamp",
}
_START_NAMES = {
    "tostartofminute": Grain.MINUTE, "tostartofhour": Grain.HOUR, "tostartofday": Grain.DAY, "tostartofweek": Grain.WEEK,
    "tomonday": Grain.WEEK, "tostartofmonth": Grain.MONTH, "tostartofquarter": Grain.QUARTER, "tostartofyear": Grain.YEAR,
    "toyyyymmdd": Grain.DAY, "toyyyymm": Grain.MONTH, "toyear": Grain.YEAR, "to_yyyymm": Grain.MONTH,
}  # fmt: skip
_SHIFTS = (
    exp.DateAdd, exp.DateSub, exp.TimestampAdd, exp.TimestampSub, exp.DatetimeAdd, exp.DatetimeSub, exp.TsOrDsAdd, exp.TimeAdd,
    exp.TimeSub,
)  # fmt: skip
_SHIFT_NAMES = ("add", "subtract")


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
        return Step(node.this, grain_of(_text(node.args.get("unit"))), None, "date_trunc")
    if isinstance(node, _DATES):
        return Step(node.this, Grain.DAY, _text(node.args.get("zone")) or None, "date") if node.this else None
    if isinstance(node, exp.Trunc):
        unit = (
            grain_of(_text(node.args.get("decimals") or node.args.get("unit")))
            if node.args.get("decimals")
            else Grain.DAY
        )
        return Step(node.this, unit, None, "trunc")
    if isinstance(node, (exp.TimeToStr, exp.ToChar)):
        return Step(node.this, grain_of_format(_text(node.args.get("format"))), None, "to_char")
    if isinstance(node, exp.AtTimeZone):
        return Step(node.this, None, _text(node.args.get("zone")) or "?", "at time zone")
    if isinstance(node, exp.ConvertTimezone):
        zone = _text(node.args.get("target_tz")) or "?"
        return (
            Step(node.args["timestamp"], None, zone, "convert_timezone")
            if node.args.get("timestamp")
            else None
        )
    if isinstance(node, exp.Datetime) and node.args.get("expression") is not None:
        return Step(node.this, None, _text(node.expression) or "?", "datetime")
    if isinstance(node, exp.Extract):
        part = {"DATE": Grain.DAY, "YEAR": Grain.YEAR}.get(_text(node.this).upper())
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
    return grain_of(_text(node.args.get("unit"))) if isinstance(node, exp.Interval) else None


class Shift(NamedTuple):
    """A step in time: the value that is moved, by how many of which unit (None when not known)."""

    inner: exp.Expr
    keeps: Grain | None


def shift_of(node: exp.Expr) -> Shift | None:
    """A date moved by an interval: `x - interval '3' day`, `dateadd(hour, -6, x)`, `current_date - 3`."""
    if isinstance(node, (exp.Add, exp.Sub)):
        left, right = node.left, node.right
        for moved, length in ((left, right), (right, left)):
            interval = _interval_in(length)
            if interval is not None:
                return Shift(moved, _kept(interval.this, interval.args.get("unit")))
        if isinstance(right, exp.Placeholder) or (isinstance(right, exp.Literal) and not right.is_string):
            return Shift(left, Grain.DAY)
        return None
    if isinstance(node, _SHIFTS):
        amount = node.args.get("expression")
        if isinstance(amount, exp.Interval):
            return Shift(node.this, _kept(amount.this, amount.args.get("unit")))
        return Shift(node.this, _kept(amount, node.args.get("unit")))
    if isinstance(node, exp.AddMonths):
        return Shift(node.this, _kept(node.args.get("expression"), exp.Var(this="month")))
    if isinstance(node, exp.Anonymous) and len(node.expressions) == 2:
        name = str(node.this).lower()
        for start in _SHIFT_NAMES:
            unit = grain_of(name[len(start) :]) if name.startswith(start) else None
            if unit:
                return Shift(node.expressions[0], unit)
    return None


def _interval_in(node: exp.Expr) -> exp.Interval | None:
    """`interval '3' day`, also as `(interval '1 day') * 3`."""
    node = node.unnest()
    if isinstance(node, exp.Mul):
        return _interval_in(node.left) or _interval_in(node.right)
    return node if isinstance(node, exp.Interval) else None


def _kept(amount: exp.Expr | None, unit: exp.Expr | None) -> Grain | None:
    text, word = _text(amount), _text(unit)
    parts = text.split()
    if not word and len(parts) == 2:
        text, word = parts
    grain = grain_of(word or "day")
    if grain is None:
        return None
    try:
        return span(abs(float(text)), grain)
    except ValueError:
        return grain


def _text(node: object) -> str:
    """The words of a literal, unit or identifier; "" for what has none."""
    if isinstance(node, exp.Neg):
        return _text(node.this)
    if isinstance(node, (exp.Literal, exp.Var, exp.Identifier)):
        return str(node.this)
    if isinstance(node, exp.Expression):
        return node.name
    return str(node) if node else ""


def days_back(node: exp.Expr, start: tuple[type[exp.Expr], ...] = ()) -> float | None:
    """How many days before now a moment lies: `current_date - interval '3' day` is 3, `now()` 0; None when it is not told.

    start: count from these nodes in place of the clock, and only where nothing but a day cuts the moment.
    """
    if isinstance(node, start) if start else is_clock(node):
        return 1.0 if isinstance(node, exp.Anonymous) and str(node.this).lower() == "yesterday" else 0.0
    if isinstance(node, exp.Paren):
        return days_back(node.this, start)
    step = step_of(node)
    if step is not None:
        return days_back(step.inner, start) if not start or step.grain in (None, Grain.DAY) else None
    if isinstance(node, _MOMENTS):
        return days_back(node.this, start) if node.this is not None else None
    if isinstance(node, exp.Anonymous) and str(node.this).lower() in _MOMENT_NAMES and node.expressions:
        return days_back(node.expressions[0], start)
    shift = shift_of(node)
    moved = days_back(shift.inner, start) if shift is not None else None
    amount = days_moved(node) if moved is not None else None
    return moved + amount if moved is not None and amount is not None else None


_DAYS = {
    Grain.SECOND: 1 / 86400, Grain.MINUTE: 1 / 1440, Grain.HOUR: 1 / 24, Grain.DAY: 1.0, Grain.WEEK: 7.0, Grain.MONTH: 30.0,
    Grain.QUARTER: 91.0, Grain.YEAR: 365.0,
}  # fmt: skip


def days_moved(node: exp.Expr) -> float | None:
    """By how many days a shift (see `shift_of`) moves into the past; None where that is not told."""
    back = isinstance(node, (exp.Sub, exp.DateSub, exp.TimestampSub, exp.DatetimeSub, exp.TimeSub))
    if isinstance(node, exp.Binary) and isinstance(node, (exp.Add, exp.Sub)):
        amount: exp.Expr | None = node.right if not isinstance(node.left, exp.Interval) else node.left
        unit = amount.args.get("unit") if isinstance(amount, exp.Interval) else None
    elif isinstance(node, exp.Anonymous):
        amount, unit = (
            node.expressions[1],
            exp.Var(this=str(node.this).lower().removeprefix("subtract").removeprefix("add")),
        )
        back = str(node.this).lower().startswith("subtract")
    else:
        amount, unit = node.args.get("expression"), node.args.get("unit")
        if isinstance(node, exp.AddMonths):
            unit = exp.Var(this="month")
    if isinstance(amount, exp.Interval):
        unit = amount.args.get("unit") or unit
        amount = amount.this
    number = _number(amount)
    words = _text(amount).split()
    if number is None and len(words) == 2 and words[0].lstrip("-").isdigit():
        number, unit = float(words[0]), exp.Var(this=words[1])
    grain = grain_of(_text(unit) or "day")
    if number is None or grain is None:
        return None
    return (number if back else -number) * _DAYS[grain]


def _number(node: exp.Expr | None) -> float | None:
    if isinstance(node, exp.Neg):
        inner = _number(node.this)
        return -inner if inner is not None else None
    if isinstance(node, exp.Mul):
        left, right = _number(node.left), _number(node.right)
        return left * right if left is not None and right is not None else None
    if isinstance(node, exp.Paren):
        return _number(node.this)
    try:
        return float(str(node.this)) if isinstance(node, exp.Literal) else None
    except ValueError:
        return None
