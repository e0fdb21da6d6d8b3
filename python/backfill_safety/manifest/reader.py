"""Reads `manifest.json`, of schema v4 (dbt 1.0) to v12 (dbt 1.8 and later) and of dbt 2.0's beta, also gzipped."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, field

from .errors import ManifestError
from .manifest import Manifest
from .types import Macro, Metadata, Node, Source

MAX_BYTES = 2 * 1024**3
"""Larger manifests are refused, so that a small gzip cannot fill the memory."""

OLDEST, NEWEST = 4, 12

_KEPT = ("model", "snapshot", "seed", "operation", "analysis", "function")


class _Head(Struct, frozen=True):
    """Only as much of a node as tells what it is."""

    resource_type: str = ""


class _TestMetadata(Struct, frozen=True):
    name: str = ""
    kwargs: dict[str, Any] = field(default_factory=dict)


class _Test(Struct, frozen=True):
    test_metadata: _TestMetadata | None = None
    column_name: str | None = None
    attached_node: str | None = None


class _File(Struct, frozen=True):
    metadata: Metadata
    nodes: dict[str, msgspec.Raw]
    sources: dict[str, Source]
    macros: dict[str, Macro]
    functions: dict[str, msgspec.Raw] | None = None


def read_manifest(source: Path | str | bytes, adapter: str | None = None) -> Manifest:
    """Read a manifest from a path, or from the bytes of one.

    Args:
        source: `manifest.json`, or the same gzipped (told by its first bytes, not by its name).
        adapter: read the manifest as this adapter's, such as `snowflake`; by default the one that it names.

    Raises:
        ManifestError: it is missing, is not JSON, is not a dbt manifest, or is of a schema older than v4.
    """
    path = None if isinstance(source, bytes) else Path(source)
    name = str(path) if path else "the manifest"
    data = _bytes(source if isinstance(source, bytes) else _contents(Path(source)), name)
    try:
        file = msgspec.json.decode(data, type=_File)
    except msgspec.ValidationError as error:
        raise ManifestError(f"{name} is not a dbt manifest: {_plain(error)}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ManifestError(f"{name} is not valid JSON: {error}") from None
    _check_version(file.metadata, name)
    chosen = adapter or file.metadata.adapter_type
    if not chosen:
        raise ManifestError(
            f"{name} does not say which adapter it is for: give --adapter, such as --adapter snowflake"
        )
    nodes, not_null, unique = _nodes({**file.nodes, **(file.functions or {})}, name)
    return Manifest(
        metadata=file.metadata,
        adapter=chosen,
        nodes=nodes,
        sources=dict(sorted(file.sources.items())),
        macros=dict(sorted(file.macros.items())),
        path=path,
        not_null=not_null,
        unique=unique,
    )


def _contents(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise ManifestError(
            f"there is no {path}: run `dbt parse`, which writes target/manifest.json"
        ) from None
    except IsADirectoryError:
        raise ManifestError(f"{path} is a folder: name the manifest.json in it") from None
    except OSError as error:
        raise ManifestError(f"{path} cannot be read: {error.strerror or error}") from None


def _bytes(data: bytes, name: str) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    unpack = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        plain = unpack.decompress(data, MAX_BYTES)
    except zlib.error as error:
        raise ManifestError(f"{name} is not valid gzip: {error}") from None
    if not unpack.eof:
        too_large = len(plain) >= MAX_BYTES
        raise ManifestError(
            f"{name} is larger than {MAX_BYTES >> 30} GiB unpacked" if too_large else f"{name} is cut short"
        )
    return plain


def _check_version(metadata: Metadata, name: str) -> None:
    schema = metadata.schema
    if schema is None or "manifest" not in metadata.dbt_schema_version:
        said = metadata.dbt_schema_version or "nothing"
        raise ManifestError(f"{name} is not a dbt manifest: its metadata.dbt_schema_version says {said}")
    if schema < OLDEST:
        raise ManifestError(
            f"{name} is of manifest schema v{schema}; v{OLDEST} (dbt 1.0) is the oldest that can be read"
        )


def _nodes(
    raw: dict[str, msgspec.Raw], name: str
) -> tuple[dict[str, Node], dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """Nodes by unique id, and what `not_null` and `unique` tests say of their columns. Other tests are skipped unread."""
    head, node, test = (msgspec.json.Decoder(t) for t in (_Head, Node, _Test))
    nodes: dict[str, Node] = {}
    tested: dict[str, dict[str, set[str]]] = {"not_null": {}, "unique": {}}
    try:
        for unique_id, text in raw.items():
            if unique_id.startswith("test."):
                _note_test(test.decode(text), tested)
            elif head.decode(text).resource_type in _KEPT:
                nodes[unique_id] = node.decode(text)
    except msgspec.ValidationError as error:
        raise ManifestError(f"{name} is not a dbt manifest: in node {unique_id}: {_plain(error)}") from None
    not_null, unique = ({k: frozenset(v) for k, v in sorted(found.items())} for found in tested.values())
    return dict(sorted(nodes.items())), not_null, unique


def _note_test(test: _Test, tested: dict[str, dict[str, set[str]]]) -> None:
    meta = test.test_metadata
    if meta is None or meta.name not in tested or not test.attached_node:
        return
    column = meta.kwargs.get("column_name") or test.column_name
    if isinstance(column, str):
        tested[meta.name].setdefault(test.attached_node, set()).add(column.strip('"`[]').lower())


def _plain(error: msgspec.ValidationError) -> str:
    """msgspec's words without backquotes, `$` being the file itself."""
    return str(error).replace("`", "").replace(" - at $", " at ").replace("at .", "at ")
