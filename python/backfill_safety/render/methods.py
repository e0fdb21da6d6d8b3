"""Limits on operations whose result can be far larger than what they are given."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .budget import MAX_ITEMS, MAX_NUMBER_BITS, MAX_TEXT, Budget, BudgetError
from .traced import Traced, Unknown

_WIDTH = re.compile(r"%[^a-zA-Z%]*?(\d{4,}|\*)")
_FIELD_WIDTH = re.compile(r"\d{4,}")

ENDLESS = frozenset({"expandtabs", "center", "ljust", "rjust", "zfill", "to_bytes"})
"""Methods of texts and numbers that pad to a width."""


def check_method(budget: Budget, owner: Any, name: str, args: tuple[Any, ...]) -> None:
    """Raise BudgetError if `owner.name(*args)` would make too much; pay for it otherwise."""
    if isinstance(owner, (str, bytes)):
        if name in ENDLESS and any(isinstance(a, int) and a > MAX_ITEMS for a in args):
            raise BudgetError(f"pads a text to more than {MAX_ITEMS:,} characters")
        if name == "replace" and len(args) >= 2 and isinstance(args[1], str):
            times = owner.count(args[0]) if args[0] else len(owner) + 1
            budget.text(len(owner) + times * len(args[1]))
        elif name == "join" and args and isinstance(args[0], (list, tuple, set, dict)):
            budget.text(len(owner) * len(args[0]) + sum(len(a) for a in args[0] if isinstance(a, str)))
        else:
            budget.text(len(owner))
    elif isinstance(owner, int):
        if name in ENDLESS:
            raise BudgetError("turns a number into bytes")
    elif isinstance(owner, (list, set, dict)):
        budget.items(_growth(owner, name, args))


def _growth(owner: Any, name: str, args: tuple[Any, ...]) -> int:
    """How many items a method of a container looks at or adds."""
    given = sum(len(a) for a in args if isinstance(a, (list, tuple, set, dict, str)))
    if name in ("extend", "update", "union", "append", "insert", "add"):
        if len(owner) + given > MAX_ITEMS:
            raise BudgetError(f"makes a list of more than {MAX_ITEMS:,} items")
        return given if name != "append" else 1
    return given + (len(owner) // 8 if name in ("copy", "index", "count", "remove", "sort", "reverse") else 0)


def check_binary(budget: Budget, operator: str, left: Any, right: Any) -> None:
    """The same for `+ - * / // % **`."""
    if operator == "*":
        _check_product(budget, left, right)
        _check_product(budget, right, left)
    elif operator == "+" and isinstance(left, (str, list, tuple)) and isinstance(right, (str, list, tuple)):
        (budget.text if isinstance(left, str) else budget.items)(len(left) + len(right))
    elif operator == "**" and isinstance(left, int) and isinstance(right, int):
        if left.bit_length() * abs(right) > MAX_NUMBER_BITS:
            raise BudgetError("makes a number of more than a thousand digits")
    elif operator == "%" and isinstance(left, str):
        check_percent(budget, left, right)


def check_percent(budget: Budget, form: str, values: Any) -> None:
    """`'%5s' % x`: no width of more than three digits, nor one taken from the values."""
    if _WIDTH.search(form):
        raise BudgetError("pads a text to more than 999 characters by %")
    budget.measure(values)
    budget.text(len(form))


def check_format(budget: Budget, form: str) -> None:
    """`'{:>5}'.format(x)`: no width of more than three digits; a nested width is checked when it is
    applied."""
    if _FIELD_WIDTH.search(form):
        raise BudgetError("pads a text to more than 999 characters by format()")
    budget.text(len(form))


def _check_product(budget: Budget, value: Any, times: Any) -> None:
    if not isinstance(times, int):
        return
    if isinstance(value, int):
        if value.bit_length() + times.bit_length() > MAX_NUMBER_BITS:
            raise BudgetError("makes a number of more than a thousand digits")
    elif isinstance(value, (str, bytes)):
        if len(value) * times > MAX_TEXT:
            raise BudgetError(f"makes a text of more than {MAX_TEXT:,} characters")
        budget.text(len(value) * max(times, 0))
    elif isinstance(value, (list, tuple)):
        budget.items(len(value) * max(times, 0))


def mentions_traced(values: tuple[Any, ...]) -> bool:
    """Whether a traced text is among the values, or one level inside them."""
    for value in values:
        if isinstance(value, Traced):
            return True
        if isinstance(value, (list, tuple)) and any(isinstance(v, Traced) for v in value):
            return True
        if type(value) is dict and any(isinstance(v, Traced) for v in value.values()):
            return True
    return False


def first_unknown(values: tuple[Any, ...]) -> Unknown | None:
    """The first unknown value among the values, or one level inside them."""
    for value in values:
        if isinstance(value, Unknown):
            return value
        if isinstance(value, (list, tuple)):
            found = next((v for v in value if isinstance(v, Unknown)), None)
            if found is not None:
                return found
    return None


Function = Callable[..., Any]
