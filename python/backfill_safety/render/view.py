"""What a manifest shows to templates beside macros: `graph`, `model`, and what it tells of `target`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import msgspec

from backfill_safety.manifest import Manifest, Node, Source

from .frozen import FrozenDict, FrozenView, freeze
from .tracer import Tracer

_FIELDS = {field.encode_name: field.name for field in msgspec.structs.fields(Node)}
"""Key in the manifest → attribute."""


class ManifestView:
    """One per manifest; what it hands out is frozen."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._kept: tuple[Mapping[str, Any], FrozenDict] | None = None

    @cached_property
    def by_identifier(self) -> dict[str, list[Node | Source]]:
        """Tables and views by the last part of their name, in lower case."""
        found: dict[str, list[Node | Source]] = {}
        for node in self._manifest.nodes.values():
            if node.materialized != "ephemeral":
                found.setdefault((node.alias or node.name).lower(), []).append(node)
        for source in self._manifest.sources.values():
            found.setdefault((source.identifier or source.name).lower(), []).append(source)
        return found

    @cached_property
    def target(self) -> dict[str, Any]:
        """What the nodes show of the profile: database and schema of models that configure neither."""
        known: dict[str, Any] = {}
        for node in self._manifest.models:
            if not node.config.get("schema") and node.schema_:
                known.setdefault("schema", node.schema_)
            if not node.config.get("database") and node.database:
                known.setdefault("database", node.database)
        for name, of in (("dbname", "database"), ("project", "database"), ("dataset", "schema")):
            if of in known:
                known[name] = known[of]
        return known

    @cached_property
    def graph(self) -> FrozenDict:
        """`graph`, of the nodes and sources that were read."""
        return FrozenDict(
            nodes=FrozenDict({k: self._node(n) for k, n in self._manifest.nodes.items()}),
            sources=FrozenDict(
                {k: freeze(msgspec.to_builtins(s)) for k, s in self._manifest.sources.items()}
            ),
            exposures=FrozenDict(),
            metrics=FrozenDict(),
            groups=FrozenDict(),
        )

    def _node(self, node: Node) -> FrozenView:
        return FrozenView(_FIELDS, lambda key: msgspec.to_builtins(getattr(node, _FIELDS[key])))

    def config(self, config: Mapping[str, Any]) -> FrozenDict:
        """A config that templates cannot change; kept for the other branch of the same model."""
        if self._kept is None or self._kept[0] is not config:
            self._kept = (config, freeze(dict(config)))
        return self._kept[1]

    def model(self, node: Node, config: FrozenDict, tracer: Tracer) -> FrozenDict:
        """`model`: the node as a mapping; the batch of a microbatch run is unknown."""
        view = self._node(node)
        batch = None
        if config.get("incremental_strategy") == "microbatch":
            batch = FrozenDict(
                {key: tracer.unknown("batch", key) for key in ("id", "event_time_start", "event_time_end")}
            )
        return FrozenView(
            (*_FIELDS, "batch"), lambda key: {"config": config, "batch": batch}.get(key) or view.get(key)
        )
