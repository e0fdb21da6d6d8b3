"""The properties files as they would be, with every model's proposal in place."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from backfill_safety.init.properties import KEY, EditError, add_meta, lines_of
from backfill_safety.manifest import Node

NEW_FILE = "_backfill_safety.yml"


class Change(msgspec.Struct, frozen=True):
    """One file before (None for a new one) and after; `path` as seen from the project's folder."""

    path: str
    before: str | None
    after: str

    def diff(self) -> str:
        """A unified diff."""
        old = (self.before or "").splitlines(keepends=True)
        name = self.path if self.before is not None else "/dev/null"
        told = difflib.unified_diff(old, self.after.splitlines(keepends=True), name, self.path)
        return "".join(
            line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in told
        )


def changes(
    root: Path, proposals: Mapping[str, tuple[Node, dict[str, Any]]]
) -> tuple[list[Change], dict[str, str]]:
    """The changed files, sorted, and the models that could not be written, with why.

    A model that a properties file describes is added to there; the others of a folder share a new file.
    """
    texts: dict[str, tuple[str | None, str]] = {}
    refused: dict[str, str] = {}
    for unique_id, (node, values) in sorted(proposals.items()):
        if node.version is not None:
            refused[unique_id] = f"it has versions: add `{KEY}` under the version's config by hand"
            continue
        path = (node.patch_path or "").partition("://")[2].replace("\\", "/")
        try:
            if not _below(root, path or node.original_file_path):
                raise EditError("it is not in the project's folder")
            if path:
                before, text = texts[path] if path in texts else _read(root / path)
                texts[path] = (before, add_meta(text, node.name, values))
            else:
                path = str(Path(node.original_file_path.replace("\\", "/")).with_name(NEW_FILE).as_posix())
                before, text = texts[path] if path in texts else _read_or_new(root / path)
                texts[path] = (before, text + _entry(node.name, values))
        except EditError as error:
            refused[unique_id] = f"{path}: {error}"
    found = [
        Change(path, before, after) for path, (before, after) in sorted(texts.items()) if before != after
    ]
    return found, refused


def _below(root: Path, path: str) -> bool:
    """A manifest may name any file; only those of the project are written."""
    return (root / path).resolve().is_relative_to(root.resolve())


def _read(file: Path) -> tuple[str, str]:
    try:
        text = file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise EditError(f"it cannot be read: {getattr(error, 'strerror', None) or error}") from None
    return text, text


def _read_or_new(file: Path) -> tuple[str | None, str]:
    if file.exists():
        raise EditError("it is there already, and dbt has not read it: run `dbt parse` first")
    return None, "version: 2\n\nmodels:\n"


def _entry(model: str, values: dict[str, Any]) -> str:
    told = lines_of({"config": {"meta": {KEY: values}}})
    return f"  - name: {model}\n" + "".join(f"    {line}\n" for line in told)
