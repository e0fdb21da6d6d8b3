"""Values that remember where they come from: a var, the clock, the target.

`var('start')` gives an ordinary text that compares and formats as any other, but that knows its origin;
when it is printed, the text that lands in the SQL can be told from the model's own. Texts are a row of
segments, each with an origin or none, so that joining keeps them apart.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from .types import MarkKind

if TYPE_CHECKING:
    from .tracer import Tracer


class Origin(NamedTuple):
    """Where a value comes from; see `Mark.kind` and `Mark.name`."""

    kind: MarkKind
    name: str


class Segment(NamedTuple):
    text: str
    origin: Origin | None


class Traced(str):
    """A text whose value is known and that hangs on something outside the model."""

    segments: tuple[Segment, ...]

    def __new__(cls, segments: tuple[Segment, ...]) -> Traced:
        made = super().__new__(cls, "".join(s.text for s in segments))
        made.segments = segments
        return made

    @property
    def _origin(self) -> Origin:
        return next(s.origin for s in self.segments if s.origin)


class TracedInt(int):
    _origin: Origin


class TracedFloat(float):
    _origin: Origin


class Unknown(Traced):
    """A value that nobody knows offline. It answers with itself; a comparison is noted and denied.

    It is a list of one, a mapping with one key and a function at the same time, so that what a template
    would do with a list of columns or the rows of a query is still shown once.
    """

    _tracer: Tracer
    length = 1
    """Its length, and what it is against numbers: `if rows > 0` holds, and a loop over powers of two ends."""

    @classmethod
    def make(cls, text: str, origin: Origin, tracer: Tracer) -> Unknown:
        made = cls((Segment(text, origin),))
        made._tracer = tracer
        return made

    def _tested(self, answer: bool) -> bool:
        self._tracer.tested.add(self._origin)
        return answer

    def __bool__(self) -> bool:
        return self._tested(self.length > 0)

    def __eq__(self, other: object) -> bool:
        return self is other or self._tested(False)

    def __ne__(self, other: object) -> bool:
        return self is not other and self._tested(True)

    def __lt__(self, other: object) -> bool:
        return self._tested(isinstance(other, (int, float)) and self.length < other)

    def __le__(self, other: object) -> bool:
        return self._tested(isinstance(other, (int, float)) and self.length <= other)

    def __gt__(self, other: object) -> bool:
        return self._tested(isinstance(other, (int, float)) and self.length > other)

    def __ge__(self, other: object) -> bool:
        return self._tested(isinstance(other, (int, float)) and self.length >= other)

    def __contains__(self, item: object) -> bool:
        return self._tested(False)

    def __hash__(self) -> int:
        return str.__hash__(self)

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[str]:
        return iter(self.elements())

    def elements(self) -> list[Unknown]:
        """What a loop over it goes through."""
        self._tested(True)
        return [self] * self.length

    def __getitem__(self, key: object) -> Unknown:
        return self

    def __call__(self, *args: object, **kwargs: object) -> Unknown:
        return self

    def items(self) -> list[tuple[Unknown, Unknown]]:
        return [(value, value) for value in self.elements()]

    def _deny(self, *args: object, **kwargs: object) -> bool:
        return self._tested(False)

    def attribute(self, name: str) -> Any:
        """What a template gets for `value.name`."""
        if name == "items":
            return self.items
        if name in ("startswith", "endswith") or name.startswith("is"):
            return self._deny
        return self


class PackageVar(Unknown):
    """A var of an installed package whose dbt_project.yml is not at hand: empty in conditions and loops.

    A package declares a default for each of its vars, and those it loops over or asks for are lists of the
    user's extra columns, empty unless filled.
    """

    length = 0


PRODUCTION = frozenset({"prod", "production", "prd", "live", "release"})


class ProductionName(Unknown):
    """The name of the target: unknown, and taken as production's, since that is whose history is at stake."""

    def __eq__(self, other: object) -> bool:
        return self is other or self._tested(isinstance(other, str) and other.lower() in PRODUCTION)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return str.__hash__(self)


class _TracedDay:
    """What the two kinds of traced dates share: arithmetic keeps the origin, printing shows it."""

    _origin: Origin

    def strftime(self, form: str) -> str:
        return Traced((Segment(super().strftime(form), self._origin),))  # type: ignore[misc]

    def isoformat(self, *args: Any, **kwargs: Any) -> str:
        return Traced((Segment(super().isoformat(*args, **kwargs), self._origin),))  # type: ignore[misc]

    def __add__(self, other: Any) -> Any:
        return keep(super().__add__(other), self._origin)  # type: ignore[misc]

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return keep(super().__sub__(other), self._origin)  # type: ignore[misc]

    def replace(self, *args: Any, **kwargs: Any) -> Any:
        return keep(super().replace(*args, **kwargs), self._origin)  # type: ignore[misc]


class TracedDate(_TracedDay, dt.date):
    """A date from a var or from the clock."""


class TracedDatetime(_TracedDay, dt.datetime):
    """A time from a var or from the clock."""

    def date(self) -> dt.date:
        made: dt.date = keep(super().date(), self._origin)
        return made

    def astimezone(self, tz: dt.tzinfo | None = None) -> TracedDatetime:
        # Without a zone Python would ask the machine for its own.
        plain = dt.datetime.combine(dt.datetime.date(self), dt.datetime.time(self), self.tzinfo)
        made: TracedDatetime = keep(plain.astimezone(tz or dt.timezone.utc), self._origin)
        return made


def keep(value: Any, origin: Origin) -> Any:
    """The same value, with an origin where its type can bear one (not: booleans, none, lists and mappings
    themselves)."""
    made: Any
    if value is None or isinstance(value, (bool, Traced)):
        return value
    if isinstance(value, str):
        return Traced((Segment(str(value), origin),))
    if isinstance(value, dt.datetime):
        made = TracedDatetime.combine(dt.datetime.date(value), dt.datetime.time(value), value.tzinfo)
    elif isinstance(value, dt.date):
        made = TracedDate(value.year, value.month, value.day)
    elif isinstance(value, int):
        made = TracedInt(value)
    elif isinstance(value, float):
        made = TracedFloat(value)
    elif isinstance(value, dict):
        return {k: keep(v, origin) for k, v in value.items()}
    elif isinstance(value, list):
        return [keep(v, origin) for v in value]
    else:
        return value
    made._origin = origin
    return made
