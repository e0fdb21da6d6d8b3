"""A manifest of one case, in memory, as dbt would write it; no dbt is needed."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any

from backfill_safety.checks.judge import Judge
from backfill_safety.facts.request import Request
from backfill_safety.manifest import Manifest, read_manifest
from backfill_safety.render import Project, Renderer

PROJECT = "shop"
_MACRO = re.compile(r"\{%-?\s*macro\s+(\w+)\s*\(.*?\{%-?\s*endmacro\s*-?%\}", re.DOTALL)
_REF = re.compile(r"\bref\(\s*['\"](\w+)['\"]\s*\)")
_SOURCE = re.compile(r"\bsource\(\s*['\"](\w+)['\"]\s*,\s*['\"](\w+)['\"]")

Case = dict[str, Any]


def manifest_of(case: Case) -> Manifest:
    """The manifest of a case, with every `ref` and `source` that it names declared."""
    others = dict(case.get("refs") or {})
    texts = [case["model"], case.get("macros") or "", *(case.get("packages") or {}).values()]
    texts += [other.get("model") or "" for other in others.values()]
    for name in (n for text in texts for n in _REF.findall(text)):
        others.setdefault(name, {})
    sources = dict(case.get("sources") or {})
    for pair in (p for text in texts for p in _SOURCE.findall(text)):
        sources.setdefault(".".join(pair), {})
    own = {key: case[key] for key in ("model", "config", "columns", "language") if key in case}
    nodes = {"model": own, **{name: other for name, other in others.items() if name != "model"}}
    raw = {
        "metadata": {
            "dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json",
            "adapter_type": case["dialect"],
            "project_name": PROJECT,
            "generated_at": "2026-06-15T04:05:06Z",
        },
        "nodes": {},
        "sources": {f"source.{PROJECT}.{name}": _source(name, source) for name, source in sources.items()},
        "macros": {},
    }
    for name, node in nodes.items():
        raw["nodes"][f"model.{PROJECT}.{name}"] = _node(name, node)
        raw["nodes"] |= _tests(name, node.get("columns") or [])
    for when in ("on_run_start", "on_run_end"):
        for index, sql in enumerate(case.get(when) or ()):
            raw["nodes"] |= _operation(when.replace("_", "-"), index, sql)
    for package, text in {PROJECT: case.get("macros") or "", **(case.get("packages") or {})}.items():
        for found in _MACRO.finditer(text):
            unique_id = f"macro.{package}.{found[1]}"
            raw["macros"][unique_id] = {
                "unique_id": unique_id,
                "name": found[1],
                "package_name": package,
                "macro_sql": found[0],
            }
    manifest = _read(raw, case["dialect"])
    for unique_id in sorted(raw["nodes"]):
        if unique_id.startswith("model.") and raw["nodes"][unique_id]["language"] == "sql":
            raw["nodes"][unique_id]["config"] |= _parsed_config(manifest, unique_id, case.get("vars") or {})
    raw["nodes"][f"model.{PROJECT}.model"]["config"].setdefault("materialized", _python_config(case))
    return _read(raw, case["dialect"])


def judge(case: Case) -> tuple[dict[str, set[str]], str | None]:
    """What is said about the case's model and its project: severities by code, and why it was not judged."""
    manifest = manifest_of(case)
    window = case.get("window") or {}
    request = Request(start=str(window.get("start", "")), end=str(window.get("end", ""))) if window else None
    judge = Judge(manifest, {k: _plain(v) for k, v in (case.get("vars") or {}).items()}, request, Project())
    judgement = judge.model(manifest.nodes[f"model.{PROJECT}.model"])
    found: dict[str, set[str]] = {}
    for finding in (*judgement.findings, *judge.operations().findings):
        found.setdefault(finding.code, set()).add(finding.severity.value)
    return found, judgement.not_judged


def _plain(value: object) -> object:
    return str(value) if hasattr(value, "isoformat") else value


def _read(raw: dict[str, Any], adapter: str) -> Manifest:
    return read_manifest(json.dumps(raw, default=str).encode(), adapter)


def _node(name: str, node: dict[str, Any]) -> dict[str, Any]:
    python = node.get("language") == "python"
    path = f"{name}.{'py' if python else 'sql'}"
    config = {"materialized": "view", **(node.get("config") or {})}
    if python:
        config.pop("materialized")
    return {
        "unique_id": f"model.{PROJECT}.{name}",
        "resource_type": "model",
        "name": name,
        "alias": name,
        "package_name": PROJECT,
        "path": path,
        "original_file_path": f"models/{path}",
        "database": "db",
        "schema": "mart",
        "relation_name": f'"db"."mart"."{name}"',
        "language": node.get("language", "sql"),
        "raw_code": node.get("model") or "select 1 as id",
        "config": config,
        "columns": _columns(node.get("columns") or []),
    }


def _source(name: str, source: dict[str, Any]) -> dict[str, Any]:
    schema, _, table = name.partition(".")
    config = dict(source.get("config") or {})
    return {
        "unique_id": f"source.{PROJECT}.{name}",
        "source_name": schema,
        "name": table,
        "identifier": table,
        "package_name": PROJECT,
        "database": "db",
        "schema": schema,
        "relation_name": f'"db"."{schema}"."{table}"',
        "config": config,
        "meta": source.get("meta") or config.get("meta") or {},
        "columns": _columns(source.get("columns") or []),
    }


def _columns(columns: list[dict[str, Any]]) -> dict[str, Any]:
    return {c["name"]: {k: v for k, v in c.items() if k != "tests"} for c in columns}


def _tests(model: str, columns: list[dict[str, Any]]) -> dict[str, Any]:
    found = {}
    for column in columns:
        for test in column.get("tests") or ():
            unique_id = f"test.{PROJECT}.{test}_{model}_{column['name']}"
            found[unique_id] = {
                "unique_id": unique_id,
                "resource_type": "test",
                "attached_node": f"model.{PROJECT}.{model}",
                "column_name": column["name"],
                "test_metadata": {"name": test, "kwargs": {"column_name": column["name"]}},
            }
    return found


def _operation(when: str, index: int, sql: str) -> dict[str, Any]:
    name = f"{PROJECT}-{when}-{index}"
    return {
        f"operation.{PROJECT}.{name}": {
            "unique_id": f"operation.{PROJECT}.{name}",
            "resource_type": "operation",
            "name": name,
            "package_name": PROJECT,
            "original_file_path": "dbt_project.yml",
            "tags": [when],
            "index": index,
            "language": "sql",
            "raw_code": sql,
        }
    }


def _parsed_config(manifest: Manifest, unique_id: str, given: dict[str, Any]) -> dict[str, Any]:
    """What `config()` gives while dbt parses: not incremental, not executing."""
    node = manifest.nodes[unique_id]
    renderer = Renderer(manifest, {k: _plain(v) for k, v in given.items()}, Project())
    scope = renderer._enter(node, "first", node.config, execute=False)
    with suppress(Exception):  # a case may be about a template that does not render
        renderer._output(node, scope)
    config = json.loads(json.dumps(dict(scope.config_calls), default=str))
    for name in ("pre_hook", "post_hook"):
        if name in config:
            hooks = config.pop(name)
            hooks = hooks if isinstance(hooks, list) else [hooks]
            config[name.replace("_", "-")] = [
                h if isinstance(h, dict) else {"sql": h, "transaction": True} for h in hooks
            ]
    return config


def _python_config(case: Case) -> str:
    found = re.search(r"materialized=[\"'](\w+)", case["model"])
    return found[1] if found else "table"
