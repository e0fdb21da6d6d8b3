"""Relations and columns as templates see them: dbt's `Relation` and `Column`, without a warehouse behind
them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from .adapters import translate_type


class Parts(NamedTuple):
    database: Any
    schema: Any
    identifier: Any


_ALL = Parts(True, True, True)


_KEYS = ("database", "schema", "identifier", "name", "table", "type", "metadata")


class Relation:
    """A table or view. Printing it gives its name as dbt would write it.

    `exact` is the name as the manifest spells it; it holds until a template changes what is quoted or
    included.
    """

    __slots__ = ("_exact", "_include", "_on_render", "_parts", "_quote", "_quoted", "type", "unique_id")

    def __init__(
        self,
        parts: Parts,
        *,
        kind: str | None = None,
        exact: str | None = None,
        quote: str = '"',
        quoted: Parts = _ALL,
        include: Parts = _ALL,
        unique_id: str | None = None,
        on_render: Callable[[], None] | None = None,
    ) -> None:
        self._parts, self._exact, self._quote = parts, exact, quote
        self._quoted, self._include, self._on_render = quoted, include, on_render
        self.type = kind
        self.unique_id = unique_id

    def _with(self, **changed: Any) -> Relation:
        kept = {
            "parts": self._parts,
            "kind": self.type,
            "exact": None,
            "quote": self._quote,
            "quoted": self._quoted,
            "include": self._include,
            "unique_id": self.unique_id,
            "on_render": self._on_render,
        }
        return Relation(**{**kept, **changed})

    def _text(self) -> str:
        if self._exact is not None:
            return self._exact
        shown = []
        for part, quoted, included in zip(self._parts, self._quoted, self._include, strict=True):
            if included and part:
                shown.append(f"{self._quote}{part}{self._quote}" if quoted else str(part))
        return ".".join(shown)

    def __str__(self) -> str:
        return self._text()

    __repr__ = __str__

    def __hash__(self) -> int:
        return hash(self._text())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Relation) and self._text() == other._text()

    def __contains__(self, text: str) -> bool:
        return text in self._text()

    @property
    def database(self) -> Any:
        return self._parts.database

    @property
    def schema(self) -> Any:
        return self._parts.schema

    @property
    def identifier(self) -> Any:
        return self._parts.identifier

    name = table = identifier
    project = database
    dataset = schema

    @property
    def path(self) -> Parts:
        return self._parts

    @property
    def is_table(self) -> bool:
        return self.type == "table"

    @property
    def is_view(self) -> bool:
        return self.type == "view"

    @property
    def is_cte(self) -> bool:
        return self.type == "cte"

    @property
    def metadata(self) -> dict[str, str]:
        return {"type": "Relation"}

    def render(self) -> str:
        if self._on_render is not None:
            self._on_render()
        return self._text()

    def include(self, database: Any = None, schema: Any = None, identifier: Any = None) -> Relation:
        return self._with(include=_changed(self._include, database, schema, identifier))

    def quote(self, database: Any = None, schema: Any = None, identifier: Any = None) -> Relation:
        return self._with(quoted=_changed(self._quoted, database, schema, identifier))

    def quoted(self, text: Any) -> str:
        return f"{self._quote}{text}{self._quote}"

    def replace_path(self, database: Any = None, schema: Any = None, identifier: Any = None) -> Relation:
        return self._with(parts=_changed(self._parts, database, schema, identifier), unique_id=None)

    def incorporate(self, path: Any = None, type: Any = None, **_: Any) -> Relation:  # noqa: A002
        parts = _changed(self._parts, *(path.get(k) for k in Parts._fields)) if path else self._parts
        return self._with(parts=parts, kind=type or self.type, exact=None if path else self._exact)

    def without_identifier(self) -> Relation:
        return self._with(parts=self._parts._replace(identifier=None), unique_id=None)

    def information_schema(self, view: Any = None) -> Relation:
        parts = Parts(self._parts.database, "INFORMATION_SCHEMA", view if isinstance(view, str) else None)
        return self._with(
            parts=parts, quoted=self._quoted._replace(schema=False, identifier=False), unique_id=None
        )

    def information_schema_only(self) -> Relation:
        return self.information_schema()

    # dbt's relations are mappings too: `dbt_utils` tells them from texts by that

    def __getitem__(self, key: str) -> Any:
        if key not in _KEYS:
            raise KeyError(key)
        return getattr(self, key)

    def __iter__(self) -> Iterator[str]:
        return iter(_KEYS)

    def __len__(self) -> int:
        return len(_KEYS)

    def get(self, key: str, default: Any = None) -> Any:
        return self[key] if key in _KEYS else default

    def keys(self) -> list[str]:
        return list(_KEYS)

    def values(self) -> list[Any]:
        return [self[key] for key in _KEYS]

    def items(self) -> list[tuple[str, Any]]:
        return [(key, self[key]) for key in _KEYS]

    def matches(self, database: Any = None, schema: Any = None, identifier: Any = None) -> bool:
        asked = Parts(database, schema, identifier)
        return all(
            a is None or str(a).lower() == str(p).lower() for a, p in zip(asked, self._parts, strict=True)
        )


Mapping.register(Relation)


def _changed(old: Parts, *new: Any) -> Parts:
    return Parts(*(o if n is None else n for o, n in zip(old, new, strict=True)))


class Column:
    """A column as `adapter.get_columns_in_relation` gives them, or as a template makes one."""

    __slots__ = ("_quote", "char_size", "column", "dtype")

    def __init__(
        self, column: Any, dtype: Any = "", char_size: Any = None, *_: Any, quote: str = '"'
    ) -> None:
        self.column, self.dtype, self.char_size, self._quote = column, dtype, char_size, quote

    @property
    def name(self) -> Any:
        return self.column

    @property
    def quoted(self) -> str:
        return f"{self._quote}{self.column}{self._quote}"

    @property
    def data_type(self) -> Any:
        return self.dtype

    def is_string(self) -> bool:
        return str(self.dtype).lower() in ("text", "character varying", "character", "varchar", "string")

    def is_number(self) -> bool:
        return self.is_integer() or self.is_numeric() or self.is_float()

    def is_integer(self) -> bool:
        return "int" in str(self.dtype).lower() or "serial" in str(self.dtype).lower()

    def is_numeric(self) -> bool:
        return str(self.dtype).lower() in ("numeric", "decimal")

    def is_float(self) -> bool:
        return str(self.dtype).lower() in ("real", "float4", "float", "double precision", "float8", "double")

    def string_size(self) -> int:
        return int(self.char_size) if self.char_size is not None else 256

    def __str__(self) -> str:
        return f"<Column {self.column} ({self.dtype})>"


class RelationFactory:
    """`api.Relation` and `adapter.Relation`."""

    def __init__(self, quote: str, quoted: Parts) -> None:
        self._quote, self._quoted = quote, quoted

    def create(
        self, database: Any = None, schema: Any = None, identifier: Any = None, **given: Any
    ) -> Relation:
        policy = given.get("quote_policy")
        quoted = _changed(self._quoted, *(policy.get(k) for k in Parts._fields)) if policy else self._quoted
        kind = given.get("type")
        return Relation(Parts(database, schema, identifier), kind=kind, quote=self._quote, quoted=quoted)

    def create_from(self, _config: Any = None, node: Any = None, **_: Any) -> Relation:
        def get(key: str) -> Any:
            return node.get(key) if isinstance(node, dict) else getattr(node, key, None)

        return self.create(get("database"), get("schema"), get("alias") or get("identifier") or get("name"))

    def __call__(self, *args: Any, **kwargs: Any) -> Relation:
        return self.create(*args, **kwargs)

    @property
    def Table(self) -> str:
        return "table"

    @property
    def View(self) -> str:
        return "view"


class ColumnFactory:
    """`api.Column` and `adapter.Column`."""

    def __init__(self, adapter: str, quote: str) -> None:
        self._adapter, self._quote = adapter, quote

    def __call__(self, *args: Any, **kwargs: Any) -> Column:
        return Column(*args, quote=self._quote, **kwargs)

    def create(self, *args: Any, **kwargs: Any) -> Column:
        return Column(*args, quote=self._quote, **kwargs)

    def translate_type(self, dtype: Any) -> str:
        return translate_type(self._adapter, str(dtype))

    def numeric_type(self, dtype: Any, precision: Any = None, scale: Any = None) -> str:
        return str(dtype) if precision is None or scale is None else f"{dtype}({precision},{scale})"

    def string_type(self, size: Any) -> str:
        return f"character varying({size})"


def shown_name(name: str, quote: str) -> str:
    """A relation name of the manifest in another adapter's quotes."""
    return name if quote == '"' else name.replace('"', quote)
