"""Files that are not manifests, or are broken ones: one clear line each, and never a traceback."""

from __future__ import annotations

import gzip
import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from synthetic import document, encoded

from backfill_safety.manifest import ManifestError, read_manifest

WHOLE = document(
    {"m": "select 1", "n": {"columns": {"id": {"name": "id"}}}}, {"x": "{% macro x() %}{% endmacro %}"}
)


def changed(*path: str, to: Any) -> bytes:
    """The whole manifest with one value changed, or taken out where `to` is `...`."""
    content = deepcopy(WHOLE)
    inner: Any = content
    for key in path[:-1]:
        inner = inner[key]
    if to is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = to
    return encoded(content)


NOT_JSON = "the manifest is not valid JSON: "
NOT_DBT = "the manifest is not a dbt manifest: "
VERSION = ("metadata", "dbt_schema_version")
MODEL = ("nodes", "model.shop.m")

BROKEN: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", NOT_JSON + "Input data was truncated"),
    "blanks": (b"  \n ", NOT_JSON + "Input data was truncated"),
    "half a file": (encoded(WHOLE)[:500], NOT_JSON + "Input data was truncated"),
    "two files in one": (encoded(WHOLE) * 2, NOT_JSON + "JSON is malformed: trailing characters"),
    "text": (b"hello", NOT_JSON + "JSON is malformed: invalid character (byte 0)"),
    "YAML": (b"metadata:\n  x: 1", NOT_JSON + "JSON is malformed: invalid character (byte 0)"),
    "bytes": (b"\x00\xff\xfe\x80", NOT_JSON + "JSON is malformed"),
    "not UTF-8": (b'{"metadata": "\xff\xfe"}', "the manifest is not"),
    "not UTF-8 in a node": (
        changed(*MODEL, "raw_code", to="select @").replace(b"@", b"\xff"),
        NOT_JSON + "Invalid UTF-8 encoded string, in nodes.model.shop.m",
    ),
    "a byte order mark": (b"\xef\xbb\xbf" + encoded(WHOLE), NOT_JSON + "JSON is malformed"),
    "UTF-16": (json.dumps(WHOLE).encode("utf-16"), NOT_JSON + "JSON is malformed"),
    "a lone surrogate": (b'{"metadata": {"dbt_version": "\\ud800"}}', NOT_JSON),
    "not a number": (b'{"metadata": NaN}', "the manifest is not"),
    "deep lists": (b"[" * 100_000, "the manifest is not"),
    "deep lists in a config": (
        changed(*MODEL, "config", "x", to="@").replace(b'"@"', b"[" * 50_000 + b"]" * 50_000),
        "the manifest is not valid JSON: ",
    ),
    "a list": (b"[]", NOT_DBT + "Expected object, got array"),
    "a text": (b'"x"', NOT_DBT + "Expected object, got str"),
    "null": (b"null", NOT_DBT + "Expected object, got null"),
    "an empty object": (b"{}", NOT_DBT + "Object missing required field metadata"),
    "no nodes": (changed("nodes", to=...), NOT_DBT + "Object missing required field nodes"),
    "no macros": (changed("macros", to=...), NOT_DBT + "Object missing required field macros"),
    "nodes as a list": (changed("nodes", to=[]), NOT_DBT + "Expected object, got array at nodes"),
    "macros as null": (changed("macros", to=None), NOT_DBT + "Expected object, got null at macros"),
    "metadata as a text": (changed("metadata", to="v12"), NOT_DBT + "Expected object, got str at metadata"),
    "a catalog": (
        changed(*VERSION, to="https://schemas.getdbt.com/dbt/catalog/v1.json"),
        NOT_DBT + "its metadata.dbt_schema_version says https://schemas.getdbt.com/dbt/catalog/v1.json",
    ),
    "no version": (changed(*VERSION, to=...), NOT_DBT + "its metadata.dbt_schema_version says nothing"),
    "a version as a number": (
        changed(*VERSION, to=12),
        NOT_DBT + "Expected str, got int at metadata.dbt_schema_version",
    ),
    "a version of words": (
        changed(*VERSION, to="manifest/vX.json"),
        NOT_DBT + "its metadata.dbt_schema_version says manifest/vX.json",
    ),
    "too old": (
        changed(*VERSION, to="https://schemas.getdbt.com/dbt/manifest/v3.json"),
        "the manifest is of manifest schema v3; the oldest that can be read is v4 (dbt 1.0)",
    ),
    "no adapter": (
        changed("metadata", "adapter_type", to=None),
        "the manifest does not say which adapter it is for: give one, as in --adapter snowflake",
    ),
    "a node as a text": (
        changed(*MODEL, to="x"),
        NOT_DBT + "Expected object, got str, in nodes.model.shop.m",
    ),
    "a node as null": (
        changed(*MODEL, to=None),
        NOT_DBT + "Expected object, got null, in nodes.model.shop.m",
    ),
    "a node without a name": (
        changed(*MODEL, "name", to=...),
        NOT_DBT + "Object missing required field name, in nodes.model.shop.m",
    ),
    "code as a number": (
        changed(*MODEL, "raw_code", to=1),
        NOT_DBT + "Expected str | null, got int at raw_code, in nodes.model.shop.m",
    ),
    "config as a list": (
        changed(*MODEL, "config", to=[]),
        NOT_DBT + "Expected object, got array at config, in nodes.model.shop.m",
    ),
    "columns as a list": (
        changed(*MODEL, "columns", to=[1]),
        NOT_DBT + "Expected object, got array at columns, in nodes.model.shop.m",
    ),
    "parents as texts": (
        changed(*MODEL, "depends_on", "nodes", to="x"),
        NOT_DBT + "Expected array | null, got str at depends_on.nodes, in nodes.model.shop.m",
    ),
    "a macro without text": (
        changed("macros", "macro.shop.x", "macro_sql", to=3),
        NOT_DBT + "Expected str, got int at macros[...].macro_sql",
    ),
    "a macro as a list": (
        changed("macros", "macro.shop.x", to=[]),
        NOT_DBT + "Expected object, got array at macros[...]",
    ),
    "a source without a table": (
        changed("sources", "source.shop.raw.orders", "name", to=...),
        NOT_DBT + "Object missing required field name at sources[...]",
    ),
    "a broken gzip": (gzip.compress(encoded(WHOLE))[:-20], "the manifest is not valid gzip"),
    "a gzip of noise": (b"\x1f\x8bnoise and more noise", "the manifest is not valid gzip"),
    "a gzip of nothing": (gzip.compress(b""), NOT_JSON + "Input data was truncated"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_manifest_is_one_clear_line(name: str) -> None:
    content, message = BROKEN[name]
    with pytest.raises(ManifestError) as caught:
        read_manifest(content)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
    assert "`" not in str(caught.value)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda _: None, "there is no {}: `dbt parse` writes target/manifest.json"),
        (Path.mkdir, "{} is a folder: name the manifest.json in it"),
    ],
)
def test_a_missing_file_says_how_to_get_one(make: Any, message: str, tmp_path: Path) -> None:
    make(path := tmp_path / "manifest.json")
    with pytest.raises(ManifestError) as caught:
        read_manifest(path)
    assert str(caught.value) == message.format(path)


def test_a_path_that_no_system_has_is_one_line() -> None:
    with pytest.raises(ManifestError, match="cannot be read"):
        read_manifest(Path("a\0b"))


def test_a_gzip_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backfill_safety.manifest.reader.MAX_BYTES", 2**20)
    with pytest.raises(ManifestError, match="larger than"):
        read_manifest(gzip.compress(b" " * 2**24))


ODD: dict[str, bytes] = {
    "keys that nobody knows": changed("nodes", "model.shop.m", "novel", to={"a": [1]}),
    "a node of a kind that nobody knows": changed("nodes", "novel.shop.y", to=7),
    "a broken test": changed("nodes", "test.shop.some_test.1", to=[]),
    "null in most places": changed(
        *MODEL,
        to={"unique_id": "model.shop.m", "resource_type": "model", "name": "m", "package_name": "shop"}
        | dict.fromkeys(
            ("raw_code", "database", "schema", "alias", "relation_name", "language", "patch_path", "fqn")
        ),
    ),
    "a gzip": gzip.compress(encoded(WHOLE)),
    "no sources": changed("sources", to={}),
    "a version above what is known": changed(*VERSION, to="https://schemas.getdbt.com/dbt/manifest/v13.json"),
    "a name with quotes": changed(*MODEL, "name", to='m"; drop table x; --'),
}


@pytest.mark.parametrize("name", ODD)
def test_what_is_only_odd_is_read(name: str) -> None:
    assert "model.shop.m" in read_manifest(ODD[name]).nodes
