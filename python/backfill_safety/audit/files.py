"""The models of some files: what a commit touches, as a pre-commit hook names it."""

from __future__ import annotations

from collections.abc import Iterable
from os.path import relpath
from pathlib import Path

from backfill_safety.manifest import Manifest, Node


def models_of(manifest: Manifest, files: Iterable[Path], root: Path) -> tuple[set[str], dict[str, str]]:
    """Unique ids of the models of these files, and of those whose file has changed since, with why.

    A model's own file, its properties file, and a macro's file with all models that call the macro. root:
    the project's folder, from which the manifest names its files. Files of nothing are passed over.
    """
    paths = {relpath(file, root).replace("\\", "/"): file for file in files}
    calls = _callers(
        manifest, {m.unique_id for m in manifest.macros.values() if m.original_file_path in paths}
    )
    found: set[str] = set()
    stale: dict[str, str] = {}
    for node in manifest.nodes.values():
        own = paths.get(node.original_file_path)
        properties = (node.patch_path or "").partition("://")[2]
        if own is not None or properties in paths or node.unique_id in calls:
            found.add(node.unique_id)
        if own is not None and not _as_parsed(own, node):
            stale[node.unique_id] = f"{own} has changed since the manifest was written: run `dbt parse` first"
    return found, stale


def _callers(manifest: Manifest, macros: set[str]) -> set[str]:
    """Nodes that call one of these macros, also through other macros."""
    called = set(macros)
    while True:
        more = {
            m.unique_id for m in manifest.macros.values() if called & set(m.depends_on.macros or ())
        } - called
        if not more:
            break
        called |= more
    return {n.unique_id for n in manifest.nodes.values() if called & set(n.depends_on.macros or ())}


def _as_parsed(file: Path, node: Node) -> bool:
    """Whether the file still holds the text that dbt parsed; dbt strips white space at its ends."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    return text.strip() == node.code.strip()
