"""What the facts are made of. Nothing here knows SQL; rules read these and never the text."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from msgspec import Struct

from .grain import Grain


class Kind(Enum):
    """What a bound hangs on."""

    LITERAL = "literal"
    VAR = "var"
    CLOCK = "clock"
    ITSELF = "itself"
    """A value of the target: usually `max()` of one of its columns."""
    OTHER = "other"
    """A subquery on another relation."""
    UNKNOWN = "unknown"


class Side(Enum):
    LOWER = "lower"
    UPPER = "upper"


class Path(NamedTuple):
    """A column that a value is a function of, and of no other.

    table: the relation's key, "" when it cannot be told which input has the column. grain: what the time was cut to, None when
    it was not cut as far as can be seen. wraps: the functions around it, the innermost first. zone: the time zone it was moved
    to. aggregated: it went through max, min or their like.
    """

    table: str
    column: str
    grain: Grain | None = None
    wraps: tuple[str, ...] = ()
    zone: str | None = None
    aggregated: bool = False

    def same_column(self, other: Path) -> bool:
        """Whether both are functions of one column of one relation; an untold relation is matched by the column."""
        return self.column == other.column and (
            self.table == other.table or not self.table or not other.table
        )


class Bound(Struct, frozen=True, kw_only=True):
    """A condition that bounds the rows read: `column >= value`.

    column: as the model writes it, functions included. paths: the columns of relations it stands for. kinds: what the value hangs on.
    grain: the boundary the value is known to lie on and is not known to lie on a coarser one; None when not known. itself:
    the target's columns that the value is taken from. guarded: a missing value is replaced, as in `coalesce(max(x), …)`.
    aligned_up: whether the value was cut by a truncation. driving: it bounds the rows that drive the result, not only a joined
    input. opaque: the value stands in a subquery. line: in the rendered SQL, from 1; 0 when not known.
    """

    side: Side
    column: str
    value: str
    kinds: frozenset[Kind]
    paths: tuple[Path, ...] = ()
    inclusive: bool = True
    point: bool = False
    """An equality or a list: whole values are taken."""
    listed: bool = False
    """A list: more than one value may be taken."""
    cut: bool = False
    """The value was cut to a grain, though what it was before may not be known."""
    grain: Grain | None = None
    itself: tuple[str, ...] = ()
    guarded: bool = False
    in_subquery: bool = False
    names: tuple[str, ...] = ()
    """The vars and environment variables in it."""
    moment: str = ""
    """The date or time it stands for, where it is one literal and known."""
    zone: str | None = None
    days_back: float | None = None
    """How many days before now a bound by the clock lies, or before its var, None where that is not told."""
    moved: float | None = 0.0
    """By how many days the value was moved back from what it is made of, as in `max(day) - 3`; None where that is not told."""
    indirect: bool = False
    """It bounds keys by which the rows are chosen, not the rows themselves."""
    line: int = 0


class Arm(Struct, frozen=True, kw_only=True):
    """One stream of rows into the result: a select, or one arm of a union.

    source: the key of the relation that drives it, "" when rows are generated. anti: only rows that the target lacks pass.
    unknown: why its bounds cannot be known, "" when they are.
    """

    source: str = ""
    bounds: tuple[Bound, ...] = ()
    anti: bool = False
    unknown: str = ""
    itself: bool = False
    """Its rows come from the target."""

    def on(self, side: Side) -> tuple[Bound, ...]:
        return tuple(b for b in self.bounds if b.side is side)

    @property
    def lower(self) -> tuple[Bound, ...]:
        return self.on(Side.LOWER)

    @property
    def upper(self) -> tuple[Bound, ...]:
        return self.on(Side.UPPER)


def from_below(arm: Arm) -> tuple[Bound, ...]:
    """The lower bounds that make a window: those that move, or a fixed one where a fixed upper bound closes it."""
    found = tuple(b for b in arm.lower if b.kinds - {Kind.LITERAL})
    return found or (arm.lower if arm.upper else ())


class SelfUse(Enum):
    """What a model reads its own table for."""

    WATERMARK = "watermark"
    ANTI_JOIN = "anti_join"
    FILTER = "filter"
    """Which of its rows exist decides what is read, other than by an anti-join."""
    ROWS = "rows"
    """Its rows or values enter the result."""


class SelfRead(Struct, frozen=True, kw_only=True):
    """A read of the target. columns: those that it takes, where that can be told."""

    use: SelfUse
    columns: tuple[str, ...] = ()
    line: int = 0


class Unstable(Struct, frozen=True, kw_only=True):
    """Something that makes rows differ from run to run.

    what: `random`, `unordered`, `limit`, `sample`. text: the expression. outputs: columns of the result that hold it; empty when
    it decides which rows are there.
    """

    what: str
    text: str
    outputs: tuple[str, ...] = ()
    line: int = 0


class Output(Struct, frozen=True, kw_only=True):
    """A column of the result, over all arms.

    paths: the columns it is a function of. stamp: it is the clock's answer. random: it differs each time. typed: the type that a
    cast gives it, "" when there is none.
    """

    name: str
    paths: tuple[Path, ...] = ()
    stamp: bool = False
    clock: bool = False
    random: bool = False
    itself: bool = False
    typed: str = ""
    line: int = 0


class Verb(Enum):
    """What a hook's statement does to a table."""

    INSERT = "insert"
    UPDATE = "update"
    MERGE = "merge"
    DELETE = "delete"
    TRUNCATE = "truncate"
    DROP = "drop"
    CREATE = "create"
    REPLACE = "replace"
    LOCK = "lock"
    CALL = "call"
    UNKNOWN = "unknown"


class HookWrite(Struct, frozen=True, kw_only=True):
    """A statement of a hook that writes or locks.

    where: `sql_header`, `pre_hook`, `post_hook` or `on-run-end`. table: the written relation's key. target: it is the model's own table.
    model: the unique id of the node whose relation is written, "" for any other table. predicate: it has a WHERE that may leave
    rows out. extreme: it writes a max or min. clock: it writes the time. identity: it names the job or model. progress: a column
    that it sets says time or progress. text: the statement, shortened.
    """

    where: str
    verb: Verb
    table: str
    target: bool = False
    model: str = ""
    predicate: bool = False
    extreme: bool = False
    clock: bool = False
    identity: bool = False
    progress: bool = False
    columns: tuple[str, ...] = ()
    """The columns of the predicate."""
    bounds: tuple[Bound, ...] = ()
    """What a delete of the model's own rows is bounded by."""
    partition: bool = False
    """It takes a whole partition away by name."""
    clocked: bool = False
    """The predicate asks the clock."""
    text: str = ""
