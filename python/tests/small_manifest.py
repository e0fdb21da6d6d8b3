"""Manifests of a few models that stand in folders and read each other."""

from __future__ import annotations

import json
from typing import Any

import synthetic

from backfill_safety.manifest import Manifest, read_manifest


def node(name: str, code: str = "select 1", parents: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """An incremental model below `models/marts`, or another `folder`; `more` are further fields."""
    package, folder = more.pop("package_name", synthetic.PROJECT), more.pop("folder", "marts")
    given = {
        "raw_code": code,
        "original_file_path": f"models/{folder}/{name}.sql",
        "fqn": [package, folder, name],
        "depends_on": {"nodes": [f"model.{package}.{parent}" for parent in parents], "macros": []},
    }
    return synthetic.node(name, {**given, **more}, package=package)


def text(*nodes: dict[str, Any], macros: dict[str, str] | None = None, **metadata: Any) -> bytes:
    """The bytes of a manifest of schema v12."""
    told = synthetic.document(macros=macros)
    told["metadata"] |= metadata
    return json.dumps({**told, "nodes": {n["unique_id"]: n for n in nodes}}).encode()


def manifest(*nodes: dict[str, Any], **more: Any) -> Manifest:
    """The same, read."""
    return read_manifest(text(*nodes, **more))
