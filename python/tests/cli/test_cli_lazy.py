"""A second run with nothing changed needs neither rules, nor renderer, nor SQL parser."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from cli_helpers import safe

CODE = (
    "import sys; from backfill_safety.cli import main\n"
    "try: main(['check', '--format', 'json'])\n"
    "except SystemExit: print(*sys.modules, file=sys.stderr)"
)


def test_what_is_remembered_is_not_judged_again(write: Callable[..., Path], tmp_path: Path) -> None:
    write(safe())
    home = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}

    def run() -> tuple[str, set[str]]:
        told = subprocess.run(
            [sys.executable, "-c", CODE], cwd=tmp_path, env=home, capture_output=True, text=True
        )
        return told.stdout, set(told.stderr.split())

    first, _ = run()
    second, loaded = run()
    assert second == first
    assert "msgspec" in loaded
    assert not loaded & {"sqlglot", "jinja2", "backfill_safety.checks.registry", "backfill_safety.render"}
