"""Moments that are a span before or after another: what is moved, and how far."""

from __future__ import annotations

from typing import NamedTuple

from sqlglot import exp

from .functions import is_clock, step_of, text_of
from .grain import Grain, grain_of, span

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
_SHIFTS = (
    exp.DateAdd, exp.DateSub, exp.TimestampAdd, exp.TimestampSub, exp.DatetimeAdd, exp.DatetimeSub, exp.TsOrDsAdd, exp.TimeAdd,
    exp.TimeSub,
)  # fmt: skip
_SHIFT_NAMES = ("add", "subtract")
_DAYS = {
    Grain.SECOND: 1 / 86400, Grain.MINUTE: 1 / 1440, Grain.HOUR: 1 / 24, Grain.DAY: 1.0, Grain.WEEK: 7.0, Grain.MONTH: 30.0,
    Grain.QUARTER: 91.0, Grain.YEAR: 365.0,
}  # fmt: skip


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
    words = text_of(amount).split()
    if number is None and len(words) == 2 and words[0].lstrip("-").isdigit():
        number, unit = float(words[0]), exp.Var(this=words[1])
    grain = grain_of(text_of(unit) or "day")
    if number is None or grain is None:
        return None
    return (number if back else -number) * _DAYS[grain]


def _interval_in(node: exp.Expr) -> exp.Interval | None:
    """`interval '3' day`, also as `(interval '1 day') * 3`."""
    node = node.unnest()
    if isinstance(node, exp.Mul):
        return _interval_in(node.left) or _interval_in(node.right)
    return node if isinstance(node, exp.Interval) else None


def _kept(amount: exp.Expr | None, unit: exp.Expr | None) -> Grain | None:
    text, word = text_of(amount), text_of(unit)
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
