"""Jinja's filters and tests behind the budget, with unknown values passing through."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import GeneratorType
from typing import TYPE_CHECKING, Any, cast

from jinja2.filters import FILTERS
from jinja2.tests import TESTS
from jinja2.utils import _PassArg

from .budget import MAX_ITEMS, Budget, BudgetError
from .methods import check_method, check_percent, first_unknown, mentions_traced
from .traced import Traced, TracedFloat, TracedInt, Unknown, keep

if TYPE_CHECKING:
    from .sandbox import Sandbox

Function = Callable[..., Any]

_LEFT_OUT = ("urlize", "xmlattr", "striptags", "random", "pprint", "filesizeformat")
"""Not used to write SQL, and either dear, or different each time."""

_LAZY = {
    "map",
    "select",
    "reject",
    "selectattr",
    "rejectattr",
    "batch",
    "slice",
    "list",
    "first",
    "default",
    "d",
}
"""Pass an unknown value on to what they are given, or need it whole."""

_PER_ITEM = {"groupby", "join", "max", "min", "sort", "sum", "unique"} | _LAZY - {"default", "d"}
"""Go through a text character by character."""

_CHANGES_VALUE = set(FILTERS) - _LAZY - {"dictsort", "groupby", "tojson"}
"""Give an unknown value back as it is."""


def safe_filters(sandbox: Sandbox) -> dict[str, Function]:
    """All of Jinja's filters that SQL is written with, and dbt's, each guarded."""
    chosen: dict[str, Function] = {k: f for k, f in FILTERS.items() if k not in _LEFT_OUT}
    for name in ("as_text", "as_bool", "as_native", "as_number"):
        chosen[name] = _same
    chosen["is_list"] = lambda value: isinstance(value, list)
    return {name: _guarded(sandbox, name, function) for name, function in chosen.items()}


def safe_tests(sandbox: Sandbox) -> dict[str, Function]:
    """Jinja's tests: of an unknown value they say what its type would, and note that it was asked."""
    return {name: _guarded_test(sandbox, name, cast(Function, function)) for name, function in TESTS.items()}


def _same(value: Any) -> Any:
    return value


def _guarded(sandbox: Sandbox, name: str, function: Function) -> Function:
    skip = 1 if _PassArg.from_obj(function) is not None else 0

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        value = args[skip] if len(args) > skip else None
        rest = args[skip + 1 :]
        if isinstance(value, Unknown) and name in _CHANGES_VALUE:
            return value
        if isinstance(value, GeneratorType) and name not in ("map", "select", "reject", "first"):
            value = sandbox.bounded(value)
            args = (*args[:skip], value, *rest)
        _check(sandbox.budget, name, value, rest, kwargs)
        try:
            if mentions_traced((value, *rest)) and name not in _LAZY:
                return sandbox.tracer.apply(function, args, kwargs)
            result = function(*args, **kwargs)
        except (TypeError, ValueError, AttributeError, KeyError, OverflowError):
            found = first_unknown((value, *rest))
            if found is None:
                raise
            return found
        if isinstance(result, str):
            sandbox.budget.text(len(result))
        elif isinstance(value, (TracedInt, TracedFloat)) and name in ("int", "float", "abs", "round"):
            return keep(result, value._origin)
        return result

    return run


def _check(budget: Budget, name: str, value: Any, rest: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Measure what a filter is given, and what it would make of it."""
    budget.measure(value)
    given = (*rest, *kwargs.values())
    for each in given:
        budget.measure(each)
    if name in ("default", "d"):
        return
    numbers = [abs(n) for n in given if isinstance(n, int)]
    if any(n > MAX_ITEMS for n in numbers):
        raise BudgetError(f"calls the filter {name} with a number above {MAX_ITEMS:,}")
    if name in _PER_ITEM and isinstance(value, (str, range)):
        budget.items(len(value))
    elif name == "replace" and len(rest) >= 2:
        check_method(budget, str(value), "replace", (str(rest[0]), str(rest[1])))
    elif name == "join" and isinstance(value, (list, tuple, set, dict)):
        check_method(budget, str(rest[0] if rest else kwargs.get("d", "")), "join", (value,))
    elif name == "format" and isinstance(value, str):
        check_percent(budget, value, [*rest, *kwargs.values()])
    elif name in ("indent", "tojson", "wordwrap"):
        width = max([*numbers, *(len(s) for s in given if isinstance(s, str)), 4])
        lines = value.count("\n") if isinstance(value, str) else 1_000
        budget.text(width * (lines + 1))
    elif name == "int" and isinstance(value, str) and len(value) > 1_000:
        raise BudgetError("makes a number of more than a thousand digits")


def _guarded_test(sandbox: Sandbox, name: str, function: Function) -> Function:
    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        for value in args:
            sandbox.budget.measure(value)
            if isinstance(value, Unknown) and name not in (
                "defined",
                "undefined",
                "string",
                "iterable",
                "callable",
            ):
                sandbox.tracer.tested.add(value._origin)
        if args and isinstance(args[-1], Traced) and name == "callable":
            return False
        return function(*args, **kwargs)

    return run
