"""Bounds on what a template may do. A template is a stranger's text: a bomb in it must cost one model, not
the run.

The bounds count work, so the same template always ends the same way; a clock stands behind them for what
counting misses. Every operation on a value measures it first, because one step can be arbitrarily dear: `x
* 10000000`, or printing a list that holds itself twice, twenty levels deep.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence, Set
from typing import Any

MAX_STEPS = 200_000
"""Operations of one rendering; a long text or list counts for more than one. Real models take up to about
2,500."""
MAX_TEXT = 2_000_000
"""Characters of one text, or of the SQL."""
MAX_ITEMS = 100_000
"""Items of one list, counted through nesting. dbt's own `range()` stops there too."""
MAX_NUMBER_BITS = 4_096
MAX_DEPTH = 60
"""Macros calling macros, and templates rendered by templates."""
MAX_SECONDS = 5.0
"""Processor time of one rendering: only what the other bounds let through can reach it."""

_SIMPLE = (str, int, float, bool, type(None))


class BudgetError(Exception):
    """The template asks for more than a rendering may take."""


class Budget:
    """What is left for one rendering."""

    def __init__(self) -> None:
        self.steps = MAX_STEPS
        self.depth = 0
        self._deadline: float | None = None
        self._look = 0

    def enter(self) -> None:
        """Go one macro deeper; `leave` comes back."""
        if self.depth >= MAX_DEPTH:
            raise BudgetError(f"calls macros more than {MAX_DEPTH} deep")
        self.depth += 1

    def leave(self) -> None:
        self.depth -= 1

    def step(self, cost: int = 1) -> None:
        """Pay for one operation. Raises BudgetError when nothing is left."""
        self.steps -= cost
        if self.steps < 0:
            raise BudgetError(f"takes more than {MAX_STEPS:,} steps")
        self._look += 1
        if self._look & 2047 == 0:  # so rarely, since asking for the time is dear on some systems
            self._check_time()

    def _check_time(self) -> None:
        now = time.thread_time()
        if self._deadline is None:
            self._deadline = now + MAX_SECONDS
        if now > self._deadline:
            raise BudgetError(f"takes longer than {MAX_SECONDS:.0f} seconds")

    def text(self, length: int) -> None:
        """Pay for making a text of `length` characters."""
        if length > MAX_TEXT:
            raise BudgetError(f"makes a text of more than {MAX_TEXT:,} characters")
        self.step(1 + length // 256)

    def items(self, count: int) -> None:
        """Pay for making or walking `count` items."""
        if count > MAX_ITEMS:
            raise BudgetError(f"makes a list of more than {MAX_ITEMS:,} items")
        self.step(1 + count)

    def measure(self, value: Any) -> None:
        """Pay for handing a value to an operation that may look at all of it, however deeply it nests."""
        if isinstance(value, str):
            self.step(1 + len(value) // 256)
        elif isinstance(value, range):
            self.step(1 + len(value) // 8)
        elif not isinstance(value, _SIMPLE):
            seen = self._walk(value, 0, 0)
            self.step(1 + seen // 8)

    def _walk(self, value: Any, seen: int, depth: int) -> int:
        """Count the items under a value as often as printing it would meet them."""
        if depth > 50:
            raise BudgetError("nests values more than 50 deep")
        children: Any
        if isinstance(value, Mapping):
            children = [*value, *value.values()]
        elif isinstance(value, (Sequence, Set)) and not isinstance(value, (str, bytes, range)):
            children = value
        else:
            return seen
        seen += len(children)
        if seen > MAX_ITEMS:
            raise BudgetError(f"handles more than {MAX_ITEMS:,} items at once")
        for child in children:
            if isinstance(child, str):
                seen += len(child) // 256
            elif not isinstance(child, _SIMPLE):
                seen = self._walk(child, seen, depth + 1)
        return seen
