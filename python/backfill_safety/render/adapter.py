"""`adapter`: answers what the manifest can answer, and an unknown value for what only the warehouse knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .frozen import FrozenList
from .macros import RealMacro
from .relation import Column, ColumnFactory, Relation, RelationFactory
from .values import ProjectError

if TYPE_CHECKING:
    from .scope import ModelScope


class Adapter:
    """One per rendering. A method that is not here reaches for the warehouse."""

    def __init__(self, scope: ModelScope) -> None:
        self._scope = scope
        self._quote = scope.resolver.quote

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._scope.tracer.unknown("query", f"adapter.{name}")

    def type(self) -> str:
        return self._scope.adapter_name

    @property
    def Relation(self) -> RelationFactory:
        return RelationFactory(self._quote, self._scope.resolver.quoted)

    @property
    def Column(self) -> ColumnFactory:
        return ColumnFactory(self.type(), self._quote)

    def quote(self, identifier: Any) -> str:
        return f"{self._quote}{identifier}{self._quote}"

    def quote_as_configured(self, identifier: Any, key: Any) -> str:
        quoted = self._scope.resolver.quoted._asdict().get(str(key), False)
        return self.quote(identifier) if quoted else str(identifier)

    def get_relation(self, database: Any = None, schema: Any = None, identifier: Any = None) -> Any:
        """The target exists in a live run only; anything else that the project builds does; the rest is
        unknown."""
        scope = self._scope
        this = scope.this
        if isinstance(this, Relation) and this.matches(database, schema, identifier):
            return scope.existing if scope.branch == "live" else None
        for relation in scope.known_relations(str(identifier)):
            if relation.matches(database, schema, identifier):
                return relation
        return scope.tracer.unknown("relation", ".".join(str(p) for p in (database, schema, identifier) if p))

    def get_columns_in_relation(self, relation: Any) -> Any:
        """The documented columns, and an unknown one, since documentation need not be complete."""
        unknown = self._scope.tracer.unknown("columns", str(relation))
        documented = self._scope.documented_columns(getattr(relation, "unique_id", None))
        if not documented:
            return unknown
        return [*(Column(c.name, c.data_type or "", quote=self._quote) for c in documented), unknown]

    def get_missing_columns(self, *_: Any) -> Any:
        return FrozenList()

    def check_schema_exists(self, *_: Any) -> bool:
        return True

    def dispatch(self, macro_name: Any, macro_namespace: Any = None, packages: Any = None) -> RealMacro:
        """The adapter's own form of a macro. Source: dbt-core, `BaseDatabaseWrapper.dispatch`."""
        found = self._scope.dispatch(
            str(macro_name), None if macro_namespace is None else str(macro_namespace)
        )
        if found is None:
            raise ProjectError(f"adapter.dispatch({str(macro_name)!r}): the manifest holds no such macro")
        return found
