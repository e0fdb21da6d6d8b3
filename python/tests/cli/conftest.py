"""Runs commands in a folder of their own, with a home of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from small_manifest import text

from backfill_safety.audit import cache
from backfill_safety.cli import main

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cache.click, "get_app_dir", lambda _: str(tmp_path / "home"))
    (tmp_path / ".git").mkdir()

    def invoke(*arguments: str) -> Result:
        return CliRunner().invoke(main, arguments)

    return invoke


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes a manifest of these nodes, by default to target/manifest.json."""

    def put(*nodes: dict[str, Any], to: str = "target/manifest.json", **more: Any) -> Path:
        file = tmp_path / to
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text(*nodes, **more))
        return file

    return put
