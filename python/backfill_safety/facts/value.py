"""What is known of a value that bounds something."""

from __future__ import annotations

from typing import NamedTuple

from .grain import Grain
from .types import Kind


class Value(NamedTuple):
    """See the fields of `Bound` of the same names. columns: it also holds a column of an input, and so bounds nothing."""

    kinds: frozenset[Kind] = frozenset()
    grain: Grain | None = None
    itself: tuple[str, ...] = ()
    guarded: bool = False
    in_subquery: bool = False
    names: tuple[str, ...] = ()
    columns: bool = False
    moment: bool = False
    text: str = ""
    """The date or time it stands for, where it is one literal and known."""
    single: bool = False
    """It is one value over rows: an aggregate, a window function or a subquery."""
    cut: bool = False
    """It was cut to a grain, though what it was before is not known."""
    moved: float | None = 0.0
    """By how many days it was moved back from what it is made of; None where that is not told."""

    def joined(self, other: Value) -> Value:
        """Both values in one expression; the grain is left to the caller."""
        return Value(
            self.kinds | other.kinds,
            None,
            tuple(dict.fromkeys((*self.itself, *other.itself))),
            self.guarded or other.guarded,
            self.in_subquery or other.in_subquery,
            tuple(dict.fromkeys((*self.names, *other.names))),
            self.columns or other.columns,
            self.moment or other.moment,
            self.text or other.text,
            self.single or other.single,
            self.cut or other.cut,
            None if self.moved is None or other.moved is None else max(self.moved, other.moved, key=abs),
        )


NOTHING = Value()
