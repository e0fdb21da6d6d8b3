"""Reads `manifest.json`, of schema v4 (dbt 1.0) to v12 (dbt 1.8 on) and of dbt 2.0's beta, also gzipped."""

from __future__ import annotations

import gc
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from .errors import ManifestError
from .manifest import Manifest
from .types import DependsOn, Macro, Metadata, Node, Source

MAX_BYTES = 2 * 1024**3
"""Larger manifests are refused, so that a small gzip cannot fill the memory."""

OLDEST = 4

_KEPT = ("model.", "snapshot.", "seed.", "operation.", "analysis.", "function.")


class _TestMetadata(Struct, frozen=True):
    name: str = ""
    kwargs: dict[str, Any] = field(default_factory=dict)


class _Test(Struct, frozen=True):
    test_metadata: _TestMetadata | None = None
    column_name: str | None = None
    attached_node: str | None = None
    depends_on: DependsOn = DependsOn()

    @property
    def node(self) -> str | None:
        """What the test is about; before v10 only told by what it reads."""
        read = self.depends_on.nodes or ()
        return self.attached_node or (read[0] if len(read) == 1 else None)


class _File(Struct, frozen=True):
    metadata: Metadata
    nodes: dict[str, msgspec.Raw]
    sources: dict[str, Source]
    macros: dict[str, Macro]
    functions: dict[str, msgspec.Raw] | None = None


_FILE, _NODE, _TEST = msgspec.json.Decoder(_File), msgspec.json.Decoder(Node), msgspec.json.Decoder(_Test)


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
    data = _unpacked(source if isinstance(source, bytes) else _contents(Path(source)), name)
    with _no_collection():
        return _decoded(data, name, path, adapter)


def _decoded(data: bytes, name: str, path: Path | None, adapter: str | None) -> Manifest:
    try:
        file = _FILE.decode(data)
    except msgspec.ValidationError as error:
        raise ManifestError(f"{name} is not a dbt manifest: {_plain(error)}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ManifestError(f"{name} is not valid JSON: {error}") from None
    _check_version(file.metadata, name)
    chosen = (adapter or file.metadata.adapter_type or "").lower()
    if not chosen:
        raise ManifestError(
            f"{name} does not say which adapter it is for: give one, as in --adapter snowflake"
        )
    nodes, tested = _nodes({**file.nodes, **(file.functions or {})}, name)
    return Manifest(
        metadata=file.metadata,
        adapter=chosen,
        nodes=dict(sorted(nodes.items())),
        sources=dict(sorted(file.sources.items())),
        macros=dict(sorted(file.macros.items())),
        path=path,
        not_null=tested["not_null"],
        unique=tested["unique"],
    )


def _contents(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise ManifestError(f"there is no {path}: `dbt parse` writes target/manifest.json") from None
    except IsADirectoryError:
        raise ManifestError(f"{path} is a folder: name the manifest.json in it") from None
    except (OSError, ValueError) as error:
        raise ManifestError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _unpacked(data: bytes, name: str) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    unpack = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        plain = unpack.decompress(data, MAX_BYTES)
    except zlib.error as error:
        raise ManifestError(f"{name} is not valid gzip: {error}") from None
    if len(plain) >= MAX_BYTES:
        raise ManifestError(f"{name} is larger than {MAX_BYTES >> 30} GiB unpacked")
    if not unpack.eof:
        raise ManifestError(f"{name} is not valid gzip: it is cut short")
    return plain


def _check_version(metadata: Metadata, name: str) -> None:
    schema = metadata.schema
    if schema is None or "manifest" not in metadata.dbt_schema_version:
        said = metadata.dbt_schema_version or "nothing"
        raise ManifestError(f"{name} is not a dbt manifest: its metadata.dbt_schema_version says {said}")
    if schema < OLDEST:
        raise ManifestError(
            f"{name} is of manifest schema v{schema}; the oldest that can be read is v{OLDEST} (dbt 1.0)"
        )


_Tested = dict[str, dict[str, frozenset[str]]]


def _nodes(raw: dict[str, msgspec.Raw], name: str) -> tuple[dict[str, Node], _Tested]:
    """Nodes by unique id, and what tests say of their columns. Of tests only `not_null` and `unique` are
    read."""
    nodes: dict[str, Node] = {}
    tested: dict[str, dict[str, set[str]]] = {"not_null": {}, "unique": {}}
    try:
        for unique_id, text in raw.items():
            if unique_id.startswith(_KEPT):
                nodes[unique_id] = _NODE.decode(text)
            elif unique_id.startswith("test.") and ("not_null" in unique_id or "unique" in unique_id):
                _note_test(_TEST.decode(text), tested)
    except msgspec.ValidationError as error:
        raise ManifestError(f"{name} is not a dbt manifest: {_plain(error)}, in nodes.{unique_id}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ManifestError(f"{name} is not valid JSON: {error}, in nodes.{unique_id}") from None
    return nodes, {k: {n: frozenset(c) for n, c in sorted(v.items())} for k, v in tested.items()}


def _note_test(test: _Test, tested: dict[str, dict[str, set[str]]]) -> None:
    meta = test.test_metadata
    if meta is None or meta.name not in tested or not test.node:
        return
    column = meta.kwargs.get("column_name") or test.column_name
    if isinstance(column, str):
        tested[meta.name].setdefault(test.node, set()).add(column.strip('"`[]').lower())


def _plain(error: msgspec.ValidationError) -> str:
    """msgspec's own words, without its code marks."""
    return str(error).replace("`", "").replace(" - at $.", " at ").replace(" - at $", "")


@contextmanager
def _no_collection() -> Iterator[None]:
    """Hold the garbage collector while hundreds of thousands of objects are made: it would look at each
    many times."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
