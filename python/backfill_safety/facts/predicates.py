"""The incremental predicates of a configuration: bounds on the target's own rows."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

import sqlglot
from msgspec import Struct
from msgspec.structs import replace
from sqlglot import exp
from sqlglot.errors import SqlglotError

from .bounds import bounds_of
from .logic import conjuncts
from .shape import query_of
from .types import Bound, Kind
from .values import Values

_DESTINATION = "the_destination"


class Predicate(Struct, frozen=True, kw_only=True):
    """One predicate.

    loose_or: an OR stands in it outside of any brackets. bounds: on the target's columns. days_back: how many days before now the
    lower bound lies, None when that is not told. literal: a fixed date it begins with.
    """

    text: str
    loose_or: bool
    bounds: tuple[Bound, ...]
    days_back: float | None = None
    literal: date | None = None


def predicates_of(texts: Iterable[str], dialect: str, hangs_on: frozenset[str]) -> list[Predicate]:
    """Read predicates as written. hangs_on: `var` or `clock`, where the template took their literals from there.

    Those that do not parse, or look at no column of the target, are left out.
    """
    found = []
    for text in texts:
        try:
            tree = sqlglot.parse_one(
                f"select 1 from {_DESTINATION} as DBT_INTERNAL_DEST where {text}", dialect=dialect
            )
            select = query_of(tree, None).arms[0]
        except (SqlglotError, ValueError, RecursionError):
            continue
        where = tree.args.get("where")
        if where is None:
            continue
        values = Values("", (), dialect)
        bounds = [_sourced(b, hangs_on) for c in conjuncts(where.this) for b in bounds_of(values, select, c)]
        lower = next((b for b in bounds if b.side.value == "lower"), None)
        found.append(
            Predicate(
                text=" ".join(text.split()),
                loose_or=isinstance(where.this, exp.Or),
                bounds=tuple(bounds),
                days_back=lower.days_back if lower is not None else None,
                literal=_date(lower.value) if lower is not None else None,
            )
        )
    return found


def _sourced(bound: Bound, hangs_on: frozenset[str]) -> Bound:
    if bound.kinds == {Kind.LITERAL}:
        if "var" in hangs_on or "env_var" in hangs_on:
            return replace(bound, kinds=frozenset({Kind.VAR}))
        if "clock" in hangs_on:
            return replace(bound, kinds=frozenset({Kind.CLOCK}))
    return bound


def _date(text: str) -> date | None:
    for part in text.replace("(", "'").split("'"):
        try:
            return datetime.fromisoformat(part.strip()).date()
        except ValueError:
            continue
    return None
