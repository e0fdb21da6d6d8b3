"""A whole manifest: nodes, sources and macros, and how to find one of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from .errors import SelectionError
from .types import Macro, Metadata, Node, Source


@dataclass(frozen=True, eq=False)
class Manifest:
    """Everything read from one file. All mappings are sorted by unique id."""

    metadata: Metadata
    adapter: str
    """The adapter whose SQL this is: the override if one was given, else the one that parsed the project."""
    nodes: dict[str, Node]
    """Models, snapshots, seeds, operations and analyses; no tests."""
    sources: dict[str, Source]
    macros: dict[str, Macro]
    path: Path | None = None
    """Where it was read from, None when read from bytes."""
    not_null: dict[str, frozenset[str]] = field(default_factory=dict)
    """Node → columns on which a `not_null` test stands, in lower case."""
    unique: dict[str, frozenset[str]] = field(default_factory=dict)
    """Node → columns on which a `unique` test stands, in lower case."""

    @property
    def parsed_with(self) -> str:
        """The adapter that parsed the project, which is the one whose macros the manifest holds."""
        return self.metadata.adapter_type or ""

    @cached_property
    def models(self) -> list[Node]:
        return [n for n in self.nodes.values() if n.resource_type == "model"]

    @cached_property
    def incremental(self) -> list[Node]:
        """Models materialized as incremental, by dbt's own materialization."""
        return [n for n in self.models if n.materialized == "incremental"]

    @cached_property
    def operations(self) -> list[Node]:
        """`on-run-start` and `on-run-end` hooks of all packages, in the order of their index."""
        hooks = [n for n in self.nodes.values() if n.resource_type == "operation"]
        return sorted(hooks, key=lambda n: (n.package_name, n.index or 0, n.unique_id))

    @cached_property
    def on_run_end(self) -> list[Node]:
        return [n for n in self.operations if "on-run-end" in n.tags or "-on-run-end-" in n.name]

    @cached_property
    def project_name(self) -> str:
        """The root project; where an older manifest does not name it, the package with most models."""
        if self.metadata.project_name:
            return self.metadata.project_name
        packages = [n.package_name for n in self.models]
        return max(sorted(set(packages)), key=packages.count, default="")

    @cached_property
    def children(self) -> dict[str, list[str]]:
        """Unique id → the nodes that read it, sorted."""
        found: dict[str, list[str]] = {}
        for node in self.nodes.values():
            for parent in node.parents:
                found.setdefault(parent, []).append(node.unique_id)
        return found

    def parents(self, unique_id: str) -> list[str]:
        """Unique ids of what a node reads, sorted; empty for sources."""
        node = self.nodes.get(unique_id)
        return node.parents if node else []

    def get(self, unique_id: str) -> Node | Source | None:
        return self.nodes.get(unique_id) or self.sources.get(unique_id)

    def find(self, name: str) -> Node:
        """The model, snapshot or seed of this name, `package.name` or unique id.

        Raises:
            SelectionError: none or several answer to the name; says which names come near.
        """
        if name in self.nodes:
            return self.nodes[name]
        found = self._by_name.get(name, [])
        own = [n for n in found if n.package_name == self.project_name]
        if len(found) == 1 or len(own) == 1:
            return (own or found)[0]
        if found:
            raise SelectionError(
                f"{name!r} is several models, name one: {', '.join(n.unique_id for n in found)}"
            )
        known = sorted({n.name for nodes in self._by_name.values() for n in nodes})
        near = get_close_matches(name.rpartition(".")[2], known, n=3)
        raise SelectionError(f"no model is called {name!r}" + (f"; close: {', '.join(near)}" if near else ""))

    @cached_property
    def _by_name(self) -> dict[str, list[Node]]:
        found: dict[str, list[Node]] = {}
        for node in self.nodes.values():
            if node.resource_type in ("model", "snapshot", "seed"):
                names = {node.name, f"{node.package_name}.{node.name}"}
                if node.version is not None:
                    names |= {f"{name}.v{node.version}" for name in names}
                for name in names:
                    found.setdefault(name, []).append(node)
        return found
