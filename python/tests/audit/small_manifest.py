"""Manifests of a few models, made from what a test cares about."""

from __future__ import annotations

import json
from typing import Any

from backfill_safety.manifest import Manifest, read_manifest


def node(
    name: str, code: str = "select 1 as id", parents: tuple[str, ...] = (), **more: Any
) -> dict[str, Any]:
    """A model of the package `shop`, as dbt writes it; `more` are further fields."""
    package = more.pop("package_name", "shop")
    folder = more.pop("folder", "marts")
    return {
        "unique_id": f"model.{package}.{name}",
        "resource_type": "model",
        "name": name,
        "package_name": package,
        "original_file_path": f"models/{folder}/{name}.sql",
        "fqn": [package, folder, name],
        "raw_code": code,
        "language": "sql",
        "config": {"materialized": "incremental", **more.pop("config", {})},
        "depends_on": {"nodes": [p if "." in p else f"model.{package}.{p}" for p in parents], "macros": []},
        **more,
    }


def text(*nodes: dict[str, Any], macros: dict[str, str] | None = None, **metadata: Any) -> bytes:
    """The bytes of a manifest of schema v12."""
    about = {
        "dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json",
        "adapter_type": "duckdb",
        "project_name": "shop",
        **metadata,
    }
    told = {
        f"macro.shop.{name}": {
            "unique_id": f"macro.shop.{name}",
            "name": name,
            "package_name": "shop",
            "macro_sql": sql,
            "depends_on": {"macros": []},
        }
        for name, sql in (macros or {}).items()
    }
    found = {n["unique_id"]: n for n in nodes}
    return json.dumps({"metadata": about, "nodes": found, "sources": {}, "macros": told}).encode()


def manifest(*nodes: dict[str, Any], **more: Any) -> Manifest:
    """The same, read."""
    return read_manifest(text(*nodes, **more))
