"""A model's SQL from the manifest alone: no warehouse, no profile, no dbt."""

from collections.abc import Mapping
from typing import Any

from backfill_safety.manifest import Manifest, Node

from .renderer import Renderer
from .types import Branch, Hook, Mark, Ref, Rendering
from .variables import Project, read_project

__all__ = [
    "Branch",
    "Hook",
    "Mark",
    "Project",
    "Ref",
    "Renderer",
    "Rendering",
    "read_project",
    "render_model",
]


def render_model(
    manifest: Manifest,
    node: Node,
    branch: Branch,
    vars: Mapping[str, Any] | None = None,  # noqa: A002
) -> Rendering:
    """Render one model. For many models of a manifest make a `Renderer` once: it keeps what they share."""
    return Renderer(manifest, vars).render(node, branch)
