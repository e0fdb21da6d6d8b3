"""One run of `init`: proposals for the root project's models, and the files that they change."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from backfill_safety.audit.judge import subjects
from backfill_safety.audit.select import names_like, select
from backfill_safety.checks.finding import plural
from backfill_safety.checks.judge import Judge
from backfill_safety.facts.parsing import UnreadableError
from backfill_safety.init.changes import Change, changes
from backfill_safety.init.proposal import propose
from backfill_safety.manifest import Node, read_manifest
from backfill_safety.render import read_project
from backfill_safety.report.clean import one_line
from backfill_safety.settings.errors import UsageError
from backfill_safety.settings.project import project_folder


class Result(msgspec.Struct, frozen=True):
    """Files to change below `root`, and a line for everything that was not or not wholly told."""

    root: Path
    changes: list[Change]
    notes: list[str]


def propose_all(
    file: Path,
    wanted: tuple[str, ...],
    unwanted: tuple[str, ...],
    project_dir: Path | None,
    given: Mapping[str, Any],
    adapter: str | None,
) -> Result:
    """Raises ManifestError, SelectionError and UsageError."""
    manifest = read_manifest(file, adapter)
    root = project_folder(project_dir, file, manifest.project_name)
    if root is None:
        raise UsageError("the project's folder is not known: name it with --project-dir")
    judge = Judge(manifest, given, project=read_project(root))
    nodes = [
        n
        for n in select(manifest, subjects(manifest), wanted, unwanted)
        if n.package_name == manifest.project_name
    ]
    proposals: dict[str, tuple[Node, dict[str, Any]]] = {}
    notes = []
    for node in nodes:
        try:
            told = propose(judge.facts(node))
        except UnreadableError as error:
            notes.append(f"{node.name}: cannot be read: {error}")
            continue
        notes += [f"{node.name}: {unknown}" for unknown in told.unknown]
        if "column" in told.values:
            proposals[node.unique_id] = (node, told.values)
    found, refused = changes(root, proposals)
    notes += [f"{manifest.nodes[model].name}: {why}" for model, why in refused.items()]
    if not nodes:
        notes.append(
            f"no incremental model of {manifest.project_name} is selected{names_like(manifest, wanted)}"
        )
    told_of = f"{len(proposals) - len(refused):,} of {plural(len(nodes), 'model')}"
    notes.append(f"{told_of} can be told, in {plural(len(found), 'changed file')}")
    return Result(root, found, [one_line(note) for note in notes])
