"""Windows of vars that are shorter than what is replaced whole."""

from __future__ import annotations

from .grain import Grain, moment_of
from .types import Bound, Kind, Side
from .units import Unit

_SHORTEST = {
    Grain.HOUR: 1 / 24,
    Grain.DAY: 1.0,
    Grain.WEEK: 7.0,
    Grain.MONTH: 28.0,
    Grain.QUARTER: 90.0,
    Grain.YEAR: 365.0,
}


def narrower(bounds: tuple[Bound, ...], unit: Unit) -> tuple[Bound, Bound] | None:
    """Two ends on the unit's own column that lie closer together than one unit is long, wherever the vars put them."""
    shortest = _SHORTEST.get(unit.grain) if unit.grain is not None else None
    if shortest is None:
        return None
    ends = [b for b in bounds if Kind.VAR in b.kinds and not (b.listed or b.indirect) and _finer(b, unit)]
    for lower in (b for b in ends if b.side is Side.LOWER):
        for upper in (b for b in ends if b.side is Side.UPPER and b.point is lower.point):
            width = _width(lower, upper)
            if width is not None and 0 < width < 0.9 * shortest:
                return lower, upper
    return None


def _finer(bound: Bound, unit: Unit) -> bool:
    """Whether the bound is on the column of the unit and not on the unit itself: an equality tells only where the query cuts the column."""
    assert unit.grain is not None
    for path in bound.paths:
        for own in unit.paths:
            if path.same_column(own):
                cut = own.grain is unit.grain and unit.grain > Grain.DAY
                return (path.grain is None or path.grain < unit.grain) and (cut or not bound.point)
    return False


def _width(lower: Bound, upper: Bound) -> float | None:
    """How many days lie between two ends: of one var that is moved, or of two vars by their values."""
    if lower.days_back is None or upper.days_back is None:
        return None  # something moves or cuts the value in a way that is not told
    width: float | None = None
    if lower.names == upper.names:
        width = lower.days_back - upper.days_back
    elif lower.moment and upper.moment:
        begin, end = moment_of(lower.moment), moment_of(upper.moment)
        width = (end - begin).total_seconds() / 86400 if begin and end else None
    return width + 1 if width is not None and upper.inclusive else width
