"""What an answer about a model hangs on, as one digest: equal digests, equal answers.

A model's answer may hang on its own text and config, on everything it is built from, on every macro and
hook of the project, on vars, window, adapter, and on this program. The digest holds them all. That a change
of any macro judges every model anew is deliberate: dispatch finds macros by name at run time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec

import backfill_safety
from backfill_safety.manifest import Manifest

_encoder = msgspec.msgpack.Encoder(order="sorted", enc_hook=str)


def keys(manifest: Manifest, wanted: Iterable[str], asked: Mapping[str, Any]) -> dict[str, str]:
    """The digest of each wanted node and of all that it is built from, by unique id.

    asked: vars, window and whatever else was asked.
    """
    common = _digest(
        _program(),
        dict(asked),
        manifest.adapter,
        manifest.parsed_with,
        manifest.project_name,
        manifest.metadata.quoting,
        list(manifest.macros.values()),
        manifest.operations,
    )
    found: dict[str, str] = {}
    for unique_id in _parents_first(manifest, wanted):
        tested = [sorted(tests.get(unique_id, ())) for tests in (manifest.not_null, manifest.unique)]
        above = [found.get(parent, "") for parent in manifest.parents(unique_id)]
        found[unique_id] = _digest(common, manifest.get(unique_id), tested, above)
    return found


def _parents_first(manifest: Manifest, wanted: Iterable[str]) -> list[str]:
    """The wanted and their ancestors, each after its parents.

    A manifest with a cycle is not dbt's; there one member of the cycle comes before its parent.
    """
    order: dict[str, None] = {}
    for start in wanted:
        stack = [(start, False)]
        entered: set[str] = set()
        while stack:
            unique_id, done = stack.pop()
            if unique_id in order or (not done and unique_id in entered):
                continue
            if done:
                order[unique_id] = None
                continue
            entered.add(unique_id)
            stack.append((unique_id, True))
            stack += [(parent, False) for parent in manifest.parents(unique_id) if parent not in order]
    return list(order)


def _digest(*parts: object) -> str:
    return blake2b(_encoder.encode(parts), digest_size=16).hexdigest()


@cache
def _program() -> list[object]:
    """This program and what it reads SQL with; its files too, since a working copy keeps its version."""
    home = Path(backfill_safety.__file__).parent
    files = sorted(home.rglob("*.py"))
    stats = [(str(f.relative_to(home)), s.st_size, s.st_mtime_ns) for f in files for s in [f.stat()]]
    return [*map(_version, ("dbt-backfill-safety", "sqlglot", "sqlglotc", "jinja2")), stats]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
