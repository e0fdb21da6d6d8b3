"""Small manifests made in tests: a model or macro is its text, everything else is filled in as dbt would."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from backfill_safety.manifest import Manifest, read_manifest

PROJECT = "shop"

Given = str | Mapping[str, Any]


def node(name: str, given: Given, *, kind: str = "model", package: str = PROJECT) -> dict[str, Any]:
    """A node of manifest v12; `given` is its SQL, or a mapping that overrides any key, `config` being
    merged."""
    extra = {"raw_code": given} if isinstance(given, str) else dict(given)
    config = {"materialized": "incremental", "tags": [], "meta": {}, "unique_key": None, "full_refresh": None}
    config |= extra.pop("config", {})
    made = {
        "unique_id": f"{kind}.{package}.{name}",
        "resource_type": kind,
        "name": name,
        "package_name": package,
        "path": f"{name}.sql",
        "original_file_path": f"models/{name}.sql",
        "fqn": [package, name],
        "database": "db",
        "schema": "main",
        "alias": name,
        "relation_name": f'"db"."main"."{name}"',
        "language": "sql",
        "tags": [],
        "meta": {},
        "columns": {},
        "depends_on": {"nodes": [], "macros": []},
        "raw_code": "select 1 as id",
    }
    if config["materialized"] == "ephemeral":
        made["relation_name"] = None
    return {**made, **extra, "config": config}


def macro(name: str, text: str, *, package: str = PROJECT) -> dict[str, Any]:
    return {
        "unique_id": f"macro.{package}.{name}",
        "name": name,
        "package_name": package,
        "macro_sql": text,
        "original_file_path": f"macros/{name}.sql",
        "depends_on": {"macros": []},
    }


def source(group: str, name: str, **extra: Any) -> dict[str, Any]:
    made = {
        "unique_id": f"source.{PROJECT}.{group}.{name}",
        "source_name": group,
        "name": name,
        "identifier": name,
        "package_name": PROJECT,
        "database": "db",
        "schema": group,
        "relation_name": f'"db"."{group}"."{name}"',
        "columns": {},
        "config": {"enabled": True},
    }
    return {**made, **extra}


def document(
    models: Mapping[str, Given] | None = None,
    macros: Mapping[str, str] | None = None,
    *,
    adapter: str | None = "duckdb",
    sources: tuple[str, ...] = ("raw.orders",),
    **extra: Any,
) -> dict[str, Any]:
    """A manifest of v12 as plain JSON. Macros are of the root project, or of `package.name`."""
    nodes = [node(name, given) for name, given in (models or {}).items()]
    made_macros = []
    for name, text in (macros or {}).items():
        package, _, plain = name.rpartition(".")
        made_macros.append(macro(plain, text, package=package or PROJECT))
    made_sources = [source(*name.split(".")) for name in sources]
    made = {
        "metadata": {
            "dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json",
            "dbt_version": "1.11.0",
            "generated_at": "2026-03-04T05:06:07.123456Z",
            "adapter_type": adapter,
            "project_name": PROJECT,
        },
        "nodes": {n["unique_id"]: n for n in nodes},
        "sources": {s["unique_id"]: s for s in made_sources},
        "macros": {m["unique_id"]: m for m in made_macros},
    }
    return {**made, **extra}


def encoded(content: Any) -> bytes:
    return json.dumps(content).encode()


def manifest(*args: Any, **kwargs: Any) -> Manifest:
    return read_manifest(encoded(document(*args, **kwargs)))
