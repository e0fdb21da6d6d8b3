"""What a value hangs on besides columns: the clock, chance, the target's own rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sqlglot import exp

from .functions import is_clock, is_random
from .leaves import told_apart
from .lineage import MAX_STEPS, Inner, origins
from .shape import Select, Table


def unordered(value: exp.Expr) -> bool:
    """A row's number in no order: `row_number() over (partition by day order by null)`."""
    if not (isinstance(value, exp.Window) and isinstance(value.this, exp.RowNumber)):
        return False
    order = value.args.get("order")
    return order is None or all(term.find(exp.Column) is None for term in order.expressions)


class Taint(NamedTuple):
    """What a value hangs on besides plain columns.

    clock, random: it asks the clock, or gives another value each time. stamp: it *is* the clock's answer, and not only a
    fallback or a condition. itself: it holds a value of the target.
    """

    clock: bool = False
    random: bool = False
    stamp: bool = False
    itself: bool = False

    def __or__(self, other: Taint) -> Taint:
        return Taint(*(a or b for a, b in zip(self, other, strict=True)))


CLEAN = Taint()


class Taints:
    """Follows values through one query, remembering what it has seen.

    this: the key of the target's relation. written_by: what the template wrote a literal from: its clock, the run's id.
    """

    def __init__(self, this: str, written_by: Callable[[str], Taint] = lambda _: CLEAN) -> None:
        self.this, self.written_by = this, written_by
        self._seen: dict[int, Taint] = {}

    def taint(self, select: Select, value: exp.Expr, depth: int = 0) -> Taint:
        """What the value hangs on; see `Taint`."""
        if id(value) in self._seen:
            return self._seen[id(value)]
        self._seen[id(value)] = CLEAN  # a cycle adds nothing
        found = self._taint(select, value, depth)
        self._seen[id(value)] = found
        return found

    def _taint(self, select: Select, value: exp.Expr, depth: int) -> Taint:
        if depth > MAX_STEPS:
            return CLEAN
        if is_clock(value):
            return Taint(clock=True, stamp=True)
        if is_random(value) or (unordered(value) and told_apart(select)):
            return Taint(random=True)
        if isinstance(value, (exp.Literal, exp.Placeholder)):
            return self.written_by(value.name)
        if isinstance(value, exp.Column):
            found = CLEAN
            for origin in origins(select, value):
                if isinstance(origin, Inner):
                    found |= self.taint(origin.select, origin.value, depth + 1)
                elif isinstance(origin.input.body, Table) and origin.input.body.key == self.this:
                    found |= Taint(itself=True)
            return found
        if isinstance(value, exp.Query):
            return CLEAN
        found = CLEAN
        for child in value.iter_expressions():
            found |= self.taint(select, child, depth + 1)
        if found.stamp and not self._stamps(select, value, depth):
            found = found._replace(stamp=False)
        return found

    def _stamps(self, select: Select, value: exp.Expr, depth: int) -> bool:
        """A clock as a fallback, a condition or one end of a difference leaves the value the data's own."""
        if isinstance(value, exp.Coalesce):
            return self.taint(select, value.this, depth + 1).stamp
        if isinstance(value, exp.Case):
            ends = [branch.args["true"] for branch in value.args.get("ifs") or ()] + [
                value.args.get("default")
            ]
            return all(e is None or self.taint(select, e, depth + 1).stamp for e in ends)
        if isinstance(value, exp.If):
            ends = [value.args.get("true"), value.args.get("false")]
            return all(e is None or self.taint(select, e, depth + 1).stamp for e in ends)
        if isinstance(
            value, (exp.Least, exp.Predicate, exp.AggFunc, exp.DateDiff, exp.TimestampDiff)
        ) and not isinstance(value, (exp.Max, exp.Min)):
            return False
        if isinstance(value, exp.Sub):
            return not (value.right.find(exp.Column) or value.left.find(exp.Column))
        return not isinstance(value, (exp.Window, exp.Order))
