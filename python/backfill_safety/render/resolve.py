"""Finds what `ref()` and `source()` name, and makes the relations that stand for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backfill_safety.manifest import Manifest, Node, Source

from .adapters import quote_character
from .relation import Parts, Relation, shown_name
from .values import ProjectError

_KINDS = {"view": "view", "ephemeral": "cte", "materialized_view": "materialized_view"}


class Resolver:
    """Refs and sources of one manifest. Relations are shared by all renderings."""

    def __init__(self, manifest: Manifest, on_render: Callable[[str], None]) -> None:
        self._manifest = manifest
        self._on_render = on_render
        self.quote = quote_character(manifest.adapter)
        quoting = manifest.metadata.quoting or {}
        self.quoted = Parts(*(quoting.get(k) is not False for k in Parts._fields))
        self._names: dict[str, list[Node]] = {}
        for node in manifest.nodes.values():
            if node.resource_type in ("model", "snapshot", "seed"):
                self._names.setdefault(node.name, []).append(node)
        self._sources: dict[tuple[str, str], list[Source]] = {}
        for source in manifest.sources.values():
            self._sources.setdefault((source.source_name, source.name), []).append(source)
        self._relations: dict[str, Relation] = {}

    def ref(self, package: str, name: str, of_package: str | None, version: Any) -> Node:
        """The node that `ref()` in a model of `package` means. Order of search as in dbt: given, own, root,
        any."""
        found = self._names.get(name, [])
        if of_package is not None:
            found = [n for n in found if n.package_name == of_package]
        if version is not None:
            found = [n for n in found if str(n.version) == str(version)]
        elif any(n.version is not None for n in found):
            found = [n for n in found if n.version == n.latest_version]
        for wanted in (package, self._manifest.project_name):
            own = [n for n in found if n.package_name == wanted]
            found = own or found
            if own:
                break
        if not found:
            said = f"{of_package}.{name}" if of_package else name
            raise ProjectError(f"ref({said!r}): the manifest holds no such model, or it is disabled")
        return found[0]

    def source(self, package: str, source_name: str, name: str) -> Source:
        found = self._sources.get((source_name, name), [])
        if not found:
            raise ProjectError(f"source({source_name!r}, {name!r}): the manifest holds no such source")
        return next((s for s in found if s.package_name == package), found[0])

    def function(self, name: str) -> Node:
        for node in self._manifest.nodes.values():
            if node.resource_type == "function" and node.name == name:
                return node
        raise ProjectError(f"function({name!r}): the manifest holds no such function")

    def relation(self, thing: Node | Source) -> Relation:
        """The relation of a node or source; of an ephemeral model the CTE that stands for it."""
        made = self._relations.get(thing.unique_id)
        if made is None:
            made = self._relations[thing.unique_id] = self._make(thing)
        return made

    def _make(self, thing: Node | Source) -> Relation:
        def noted(unique_id: str = thing.unique_id) -> None:
            self._on_render(unique_id)

        kind: str | None
        exact: str | None
        if isinstance(thing, Source):
            identifier, kind = thing.identifier or thing.name, None
        else:
            identifier = thing.alias or thing.name
            kind = _KINDS.get(thing.materialized, "table")
        if kind == "cte":
            name = f"__dbt__cte__{identifier}"
            parts, exact = Parts(None, None, name), name
        else:
            parts = Parts(thing.database, thing.schema_, identifier)
            exact = shown_name(thing.relation_name, self.quote) if thing.relation_name else None
        return Relation(
            parts,
            kind=kind,
            exact=exact,
            quote=self.quote,
            quoted=self.quoted if exact is None else Parts(*(self.quote in exact,) * 3),
            unique_id=thing.unique_id,
            on_render=noted,
        )
