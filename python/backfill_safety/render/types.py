"""What rendering a model gives: its SQL, and everything that must be known to read that SQL rightly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Branch = Literal["first", "live"]
"""`first`: as a full refresh, `is_incremental()` false. `live`: as a scheduled run on an existing table."""

MarkKind = Literal[
    "var", "env_var", "clock", "query", "relation", "columns", "target", "flag", "result", "batch", "other"
]
ConfigSource = Literal["run", "clock", "var", "env_var", "target", "query"]
"""What a config key hangs on: `run` is `is_incremental`, `execute`, `flags` or `this`."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A value in the SQL that does not come from the model's text: a var, the clock, the answer of a query.

    `text` stands for it in `Rendering.marked`, and where `value` is None (nobody knows it offline) in
    `Rendering.sql` as well. It is a lower-case identifier such as `__var_start_date__`; compare it without
    regard to case, since macros change case.
    """

    text: str
    kind: MarkKind
    name: str
    """The var's name; for a query its SQL; for the clock the call; for `target` the field."""
    value: str | None
    """What the SQL holds in its place; None when unknown."""
    tested: bool = False
    """A condition in the template looked at the unknown value: the SQL is one of several possible forms."""

    @property
    def unknown(self) -> bool:
        return self.value is None


@dataclass(frozen=True, slots=True)
class Ref:
    """One `ref()` or `source()` that the model or an ephemeral parent called, in call order, repeats left out."""

    unique_id: str
    relation: str
    """What the SQL holds for it: a relation name, or `__dbt__cte__x` for an ephemeral model."""
    kind: Literal["ref", "source"]
    rendered: bool = False
    """Whether `.render()` was called on it, which takes it out of microbatch's event-time filter."""
    line: int | None = None
    """1-based line of the model's own file from which it was first reached."""
    inside: bool = False
    """Whether only an ephemeral parent called it: there dbt puts no microbatch filter."""


@dataclass(frozen=True, slots=True)
class Hook:
    """A pre- or post-hook, or an `on-run-end` operation. `sql` is None where `error` says why."""

    raw: str
    sql: str | None
    transaction: bool = True
    error: str | None = None
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """A model's SQL in one branch. When `error` is set, `sql` is empty and the model is *not judged*."""

    unique_id: str
    branch: Branch
    sql: str = ""
    """As `dbt compile` would give it, ephemeral parents inlined; unknown values stand as their mark's
    text."""
    marked: str = ""
    """The same lines, with a mark's text also where the value is known: shows where a bound comes from."""
    error: str | None = None
    error_line: int | None = None
    adapter: str = ""
    this: str = ""
    """The target's relation as it appears in the SQL."""
    config: Mapping[str, Any] = field(default_factory=dict)
    """The manifest's config, with what hangs on vars evaluated under the given vars."""
    config_sources: Mapping[str, frozenset[ConfigSource]] = field(default_factory=dict)
    """For each key of the model's own `config()` that hangs on more than its text: on what."""
    config_line: int | None = None
    """1-based line of the model's `config()` call."""
    sql_header: str | None = None
    pre_hooks: tuple[Hook, ...] = ()
    post_hooks: tuple[Hook, ...] = ()
    marks: tuple[Mark, ...] = ()
    """Sorted by text."""
    vars_read: Mapping[str, Any] = field(default_factory=dict)
    """Every var that the templates asked for, and what it gave; None where nobody knows."""
    macros: tuple[str, ...] = ()
    """Unique ids of the manifest's macros that ran, sorted."""
    overridden: tuple[str, ...] = ()
    """dbt's own names that the project replaces and that this model uses, sorted: `is_incremental`, `ref`,
    …"""
    substituted: tuple[str, ...] = ()
    """Adapter macros that the manifest lacks and for which another form stands in, sorted:
    `trino__dateadd`."""
    relations: Mapping[str, str] = field(default_factory=dict)
    """Relation name in the SQL (also `this` and `__dbt__cte__x`) → unique id."""
    refs: tuple[Ref, ...] = ()
    ephemeral: tuple[str, ...] = ()
    """Unique ids of the ephemeral models inlined as CTEs, in the order of the CTEs."""
    warnings: tuple[str, ...] = ()
    """What was assumed on the way, in words, sorted."""
    lines: tuple[int | None, ...] = ()
    """For each line of `sql`: the 1-based line of the model's file it came from, None in an inlined CTE."""

    @property
    def unknowns(self) -> tuple[Mark, ...]:
        return tuple(m for m in self.marks if m.unknown)

    def line_of(self, place: int) -> int | None:
        """The model's own line for a 1-based line of `sql`; inside a macro's text, the line that called
        it."""
        return self.lines[place - 1] if 1 <= place <= len(self.lines) else None

    def marks_in(self, text: str) -> tuple[Mark, ...]:
        """The marks whose text occurs in `text`, sorted by text."""
        lowered = text.lower()
        return tuple(m for m in self.marks if m.text in lowered)
