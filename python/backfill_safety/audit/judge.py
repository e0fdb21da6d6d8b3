"""The judge that workers call: a model's unique id in, its answer out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backfill_safety.audit.answer import Answer
from backfill_safety.manifest import Manifest, Node

if TYPE_CHECKING:
    from backfill_safety.facts.request import Request


def subjects(manifest: Manifest) -> list[Node]:
    """The models whose history a run adds to, which are the ones to judge."""
    return manifest.incremental


@dataclass
class ManifestJudge:
    """Judges the models of one manifest under one request. Imports renderer and rules when first called."""

    manifest: Manifest
    request: Request | None
    given: dict[str, Any]
    project: Path | None

    def __call__(self, model: str) -> Answer:
        raise NotImplementedError
