"""Real manifests: nearly all incremental models render, and equal the compiled SQL that a manifest holds."""

from __future__ import annotations

import re
from pathlib import Path

from backfill_safety.manifest import Node, read_manifest
from backfill_safety.render import Renderer, Rendering

ADAPTERS = ("trino", "bigquery", "snowflake", "postgres")
MOST = 120
"""Models of one manifest: more of the same project say little more."""
RUN_TIME = ".{0,60}?"
"""What may stand in compiled SQL where only the warehouse knew the value."""


def normalised(sql: str) -> str:
    """Without what is no difference: white space, quotes, comments, case."""
    return re.sub(r"[\s\"`;]+", "", re.sub(r"--[^\n]*", "", sql)).lower()


def equal(rendering: Rendering, compiled: str) -> bool:
    shown, wanted = normalised(rendering.sql), normalised(compiled)
    pattern = re.escape(shown)
    for mark in sorted((re.escape(m.text) for m in rendering.unknowns), key=len, reverse=True):
        pattern = pattern.replace(mark, RUN_TIME)
    return shown == wanted or re.fullmatch(pattern, wanted) is not None


def sample(models: list[Node]) -> list[Node]:
    return models[:: len(models) // MOST + 1]


def test_real_models_render_and_equal_what_dbt_compiled(shared_manifests: Path) -> None:
    total = rendered = compiled = same = 0
    for path in sorted(shared_manifests.glob("*.json.gz")):
        stem = path.name.partition(".")[0]
        manifest = read_manifest(path, next((a for a in ADAPTERS if stem.endswith(a)), None))
        renderer = Renderer(manifest)
        for node in sample(manifest.incremental):
            first, live = renderer.render(node, "first"), renderer.render(node, "live")
            total += 1
            rendered += first.error is None and live.error is None
            if node.compiled:
                compiled += 1
                same += equal(first, node.compiled) or equal(live, node.compiled)
    assert total > 200
    assert rendered / total >= 0.98
    assert same / compiled >= 0.95
