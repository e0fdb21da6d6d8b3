"""What a model reads, as far as the manifest tells about it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from backfill_safety.manifest import Manifest, Node, Source
from backfill_safety.render import Rendering

from .target import target_of


class Parent(Struct, frozen=True, kw_only=True):
    """A relation that the model reads.

    key: its relation's key in the SQL. event_time: the column by which microbatch filters it, "" for none. rendered: `.render()` was
    called on it. inside: only an ephemeral parent reads it. types: declared types by column, lower case. partition: its declared
    partition columns. retention_days: `meta.retention_days`, None when not declared. line: in the model's file, 0 when not known.
    """

    unique_id: str
    name: str
    key: str
    kind: str
    event_time: str = ""
    rendered: bool = False
    inside: bool = False
    ephemeral: bool = False
    types: dict[str, str] = {}
    partition: tuple[str, ...] = ()
    retention_days: float | None = None
    line: int = 0

    @property
    def filtered(self) -> bool:
        """Whether dbt cuts it to the batch of a microbatch model: not where an ephemeral model, which is no such model, calls it."""
        return bool(self.event_time) and not self.rendered and not self.inside

    @property
    def call(self) -> str:
        """How the model names it: `ref('stg_orders')`, `source('shop', 'orders')`."""
        if self.kind == "source":
            return f"source('{self.name.replace('.', chr(39) + ', ' + chr(39))}')"
        return f"ref('{self.name}')"


def parents_of(manifest: Manifest, rendering: Rendering) -> Iterator[Parent]:
    """The relations that a rendering read through `ref` and `source`, in call order."""
    for ref in rendering.refs:
        node = manifest.get(ref.unique_id)
        if node is None:
            continue
        config = node.config
        name = f"{node.source_name}.{node.name}" if isinstance(node, Source) else node.name
        yield Parent(
            unique_id=ref.unique_id,
            name=name,
            key=relation_key(ref.relation),
            kind=ref.kind,
            event_time=str(config.get("event_time") or "").lower(),
            rendered=ref.rendered,
            inside=ref.inside,
            ephemeral=ref.unique_id in rendering.ephemeral,
            types={c.name.lower(): (c.data_type or "").lower() for c in node.columns.values()},
            partition=_partition(node, manifest.adapter),
            retention_days=retention_days(node),
            line=ref.line or 0,
        )


def relation_key(relation: str) -> str:
    """A relation as written in SQL → `db.schema.name`, lower case, unquoted."""
    return "".join(c for c in relation if c not in '"`[]').lower()


def _meta(node: Node | Source) -> dict[str, object]:
    inner = node.config.get("meta")
    return {**node.meta, **(inner if isinstance(inner, dict) else {})}


def _partition(node: Node | Source, adapter: str) -> tuple[str, ...]:
    """The partition columns that a model's configuration or a source's meta declares."""
    config = dict(node.config)
    if isinstance(node, Source):
        meta = _meta(node)
        config = {"partition_by": meta.get("partition_by") or meta.get("partition_column")}
    found = target_of(config, adapter).partitioning
    if found is None or not (found.effective or isinstance(node, Source)):
        return ()
    return found.names


def retention_days(node: Node | Source) -> float | None:
    """`meta.retention_days`, None where it is not declared or no number."""
    value = _meta(node).get("retention_days")
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
