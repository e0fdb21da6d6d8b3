"""Reads SQL into facts without a manifest."""

from __future__ import annotations

from backfill_safety.facts.query import QueryFacts
from backfill_safety.render import Mark, Rendering

THIS = "db.mart.model"


def read(
    sql: str, dialect: str = "duckdb", marks: tuple[Mark, ...] = (), given: tuple[str, ...] = ()
) -> QueryFacts:
    """The facts of a query; the target is `db.mart.model`."""
    rendering = Rendering(
        unique_id="model.shop.model", branch="live", sql=sql, marked=sql, this=THIS, marks=marks
    )
    return QueryFacts(rendering, dialect, given=frozenset(given))


def var(name: str, value: str | None = None) -> Mark:
    return Mark(text=f"__var_{name}__", kind="var", name=name, value=value)
