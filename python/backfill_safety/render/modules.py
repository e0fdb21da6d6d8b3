"""`modules`: the parts of Python that dbt lends to templates, cut to what can be bounded."""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .budget import MAX_ITEMS, BudgetError
from .clock import DateFunctions, DayFunctions, Zones
from .frozen import FrozenDict

if TYPE_CHECKING:
    from .sandbox import Sandbox

MAX_PATTERN, MAX_SUBJECT = 500, 20_000
"""Characters of a regular expression, and of the text it is tried on."""

MAX_WAYS = 10**12
"""Bound on text length to the power of the pattern's open repeats: ways in which they may share the text."""

_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]])*\]|[*+](?=[?+]?)|\{\d*,\d*\}|[()|]", re.S)


def open_repeats(pattern: str) -> int | None:
    """How many repeats without an end a pattern holds; None where one repeats a choice or another repeat.

    Such a pattern may try exponentially many ways to match a short text.
    """
    repeats = 0
    inside: list[bool] = []  # for each open group, whether it holds a choice or a repeat
    closed = False  # whether the token before closed such a group
    end = -1
    for token in _TOKEN.finditer(pattern):
        text = token.group()
        if text[0] in "*+{":
            if closed and token.start() == end:
                return None
            repeats += 1
            inside = [True] * len(inside)
        elif text == "(":
            inside.append(False)
        elif text == "|":
            inside = [True] * len(inside)
        closed = text == ")" and bool(inside) and inside.pop()
        end = token.end()
    return repeats


def modules(sandbox: Sandbox, now: dt.datetime) -> FrozenDict:
    """`modules.datetime`, `modules.pytz`, `modules.re` and `modules.itertools`."""
    datetime = {
        "datetime": DateFunctions(now),
        "date": DayFunctions(now),
        "time": dt.time,
        "timedelta": dt.timedelta,
        "timezone": dt.timezone,
    }
    return FrozenDict(
        datetime=FrozenDict(datetime), pytz=Zones(), re=Expressions(sandbox), itertools=Iterators(sandbox)
    )


class Expressions:
    """`modules.re`, on patterns and texts of bounded size and without nested repeats."""

    I = IGNORECASE = re.IGNORECASE  # noqa: E741
    M = MULTILINE = re.MULTILINE
    S = DOTALL = re.DOTALL
    X = VERBOSE = re.VERBOSE

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def _checked(self, pattern: Any, text: Any) -> tuple[str, str]:
        pattern, text = str(pattern), str(text)
        repeats = open_repeats(pattern)
        if repeats is None:
            raise BudgetError("tries a regular expression that repeats a choice or a repeat")
        if len(pattern) > MAX_PATTERN or len(text) > MAX_SUBJECT or len(text) ** repeats > MAX_WAYS:
            raise BudgetError("tries a regular expression that is too long, or on too long a text")
        self._sandbox.budget.step(1 + len(text) // 16)
        return pattern, text

    def match(self, pattern: Any, string: Any, flags: int = 0) -> Any:
        return re.match(*self._checked(pattern, string), flags)

    def search(self, pattern: Any, string: Any, flags: int = 0) -> Any:
        return re.search(*self._checked(pattern, string), flags)

    def fullmatch(self, pattern: Any, string: Any, flags: int = 0) -> Any:
        return re.fullmatch(*self._checked(pattern, string), flags)

    def findall(self, pattern: Any, string: Any, flags: int = 0) -> Any:
        return re.findall(*self._checked(pattern, string), flags)

    def finditer(self, pattern: Any, string: Any, flags: int = 0) -> Any:
        return list(re.finditer(*self._checked(pattern, string), flags))

    def split(self, pattern: Any, string: Any, maxsplit: int = 0, flags: int = 0) -> Any:
        return re.split(*self._checked(pattern, string), maxsplit=maxsplit, flags=flags)

    def sub(self, pattern: Any, repl: Any, string: Any, count: int = 0, flags: int = 0) -> Any:
        checked, text = self._checked(pattern, string)
        if not isinstance(repl, str):
            raise TypeError("re.sub takes a text as replacement")
        self._sandbox.budget.text((len(text) + 1) * (len(repl) + len(text) * repl.count("\\")))
        return re.sub(checked, str(repl), text, count=count, flags=flags)

    def escape(self, pattern: Any) -> str:
        return re.escape(str(pattern))

    def compile(self, pattern: Any, flags: int = 0) -> _Pattern:
        return _Pattern(self, str(pattern), flags)


class _Pattern:
    """A compiled pattern, each use of which is checked as well."""

    def __init__(self, functions: Expressions, pattern: str, flags: int) -> None:
        self._functions, self.pattern, self.flags = functions, pattern, flags

    def match(self, string: Any) -> Any:
        return self._functions.match(self.pattern, string, self.flags)

    def search(self, string: Any) -> Any:
        return self._functions.search(self.pattern, string, self.flags)

    def fullmatch(self, string: Any) -> Any:
        return self._functions.fullmatch(self.pattern, string, self.flags)

    def findall(self, string: Any) -> Any:
        return self._functions.findall(self.pattern, string, self.flags)

    def split(self, string: Any, maxsplit: int = 0) -> Any:
        return self._functions.split(self.pattern, string, maxsplit, self.flags)

    def sub(self, repl: Any, string: Any, count: int = 0) -> Any:
        return self._functions.sub(self.pattern, repl, string, count, self.flags)


_ENDLESS = ("count", "cycle", "repeat")
_FINITE = (
    "accumulate",
    "chain",
    "compress",
    "islice",
    "starmap",
    "zip_longest",
    "product",
    "permutations",
    "combinations",
    "combinations_with_replacement",
)


class Iterators:
    """`modules.itertools`, as lists. What has no end is a list of as many items as a loop may take."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def __getattr__(self, name: str) -> Any:
        if name in _FINITE:
            function = getattr(itertools, name)
            return lambda *args, **kwargs: self._sandbox.bounded(self._stepped(function(*args, **kwargs)))
        if name in _ENDLESS:
            function = getattr(itertools, name)
            return lambda *args, **kwargs: _Endless(self._sandbox, function(*args, **kwargs))
        raise AttributeError(name)

    def _stepped(self, values: Iterable[Any]) -> Iterable[Any]:
        for value in values:
            self._sandbox.budget.measure(value)
            yield value


class _Endless:
    """An iterator that may have no end: usable with `zip` and `islice`, and stopped by the budget
    elsewhere."""

    def __init__(self, sandbox: Sandbox, values: Any) -> None:
        self._sandbox, self._values = sandbox, values
        self._taken = 0

    def __iter__(self) -> _Endless:
        return self

    def __next__(self) -> Any:
        self._taken += 1
        if self._taken > MAX_ITEMS:
            raise BudgetError(f"makes a list of more than {MAX_ITEMS:,} items")
        self._sandbox.budget.step()
        return next(self._values)
