"""The parts of a manifest that the checker needs, as typed structs.

Fields that a manifest of any version may lack have a default; fields it holds beyond these are skipped while
reading, which is what keeps a 70 MB file cheap. Names are those of manifest v12; the v4 to v6 spellings are
behind properties.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

Json = dict[str, Any]


class Metadata(Struct, frozen=True, gc=False):
    """Who wrote the manifest. `generated_at` is an ISO time in UTC, empty where the file has none."""

    dbt_schema_version: str = ""
    dbt_version: str = ""
    generated_at: str = ""
    invocation_id: str | None = None
    adapter_type: str | None = None
    project_name: str | None = None
    quoting: Json | None = None

    @property
    def schema(self) -> int | None:
        """The number of the manifest's schema: 12 for `…/manifest/v12.json`; None where none is given."""
        digits = "".join(c for c in self.dbt_schema_version.rpartition("/v")[2] if c.isdigit())
        return int(digits) if digits else None


class Column(Struct, frozen=True, gc=False):
    """A documented column. `data_type` is what the YAML declares, None where it declares none."""

    name: str = ""
    data_type: str | None = None
    meta: Json | None = None
    tags: tuple[str, ...] | None = None
    config: Json | None = None
    constraints: tuple[Json, ...] | None = None
    description: str | None = None
    quote: bool | None = None

    @property
    def not_null(self) -> bool:
        """Whether a `not_null` or `primary_key` constraint is declared on the column itself."""
        return any(c.get("type") in ("not_null", "primary_key") for c in self.constraints or ())


class DependsOn(Struct, frozen=True, gc=False):
    nodes: tuple[str, ...] | None = None
    macros: tuple[str, ...] | None = None


class Node(Struct, frozen=True, kw_only=True, gc=False):
    """A model, snapshot, seed or operation (an `on-run-start` or `on-run-end` hook)."""

    unique_id: str
    resource_type: str
    name: str
    package_name: str
    path: str = ""
    original_file_path: str = ""
    patch_path: str | None = None
    fqn: tuple[str, ...] | None = None
    database: str | None = None
    schema_: str | None = field(name="schema", default=None)
    alias: str | None = None
    relation_name: str | None = None
    language: str | None = None
    version: str | int | float | None = None
    latest_version: str | int | float | None = None
    config: Json = field(default_factory=dict)
    unrendered_config: Json | None = None
    columns: dict[str, Column] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)
    meta: Json = field(default_factory=dict)
    depends_on: DependsOn = DependsOn()
    index: int | None = None
    constraints: tuple[Json, ...] | None = None
    description: str | None = None
    raw_code: str | None = None
    raw_sql: str | None = None
    compiled_code: str | None = None
    compiled_sql: str | None = None

    @property
    def code(self) -> str:
        """The model's own text as it stands in its file (`raw_sql` up to v6)."""
        return self.raw_code or self.raw_sql or ""

    @property
    def compiled(self) -> str | None:
        """What dbt compiled, where the manifest holds it (`compiled_sql` up to v6)."""
        return self.compiled_code or self.compiled_sql

    @property
    def materialized(self) -> str:
        return str(self.config.get("materialized") or "")

    @property
    def is_python(self) -> bool:
        return self.language == "python" or self.original_file_path.endswith(".py")

    @property
    def parents(self) -> list[str]:
        """Unique ids of what the node reads, each once, sorted."""
        return sorted(set(self.depends_on.nodes or ()))


class Source(Struct, frozen=True, kw_only=True, gc=False):
    """A table that dbt reads and does not build."""

    unique_id: str
    source_name: str
    name: str
    package_name: str
    identifier: str | None = None
    database: str | None = None
    schema_: str | None = field(name="schema", default=None)
    relation_name: str | None = None
    original_file_path: str = ""
    loaded_at_field: str | None = None
    freshness: Json | None = None
    columns: dict[str, Column] = field(default_factory=dict)
    config: Json = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)
    meta: Json = field(default_factory=dict)
    description: str | None = None

    @property
    def resource_type(self) -> str:
        return "source"


class Macro(Struct, frozen=True, kw_only=True, gc=False):
    """A macro and its text, which holds the whole `{% macro %}` block and nothing else."""

    unique_id: str
    name: str
    package_name: str
    macro_sql: str = ""
    original_file_path: str = ""
    depends_on: DependsOn = DependsOn()
