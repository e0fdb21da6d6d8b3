"""`--help` imports next to nothing: modules are counted, since seconds hang on the machine."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "backfill_safety.checks.registry",
    "backfill_safety.facts",
    "jinja2",
    "msgspec",
    "rich",
    "sqlglot",
    "yaml",
}


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys; from backfill_safety.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: print(*sys.modules, file=sys.stderr)"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    loaded = set(told.stderr.split())
    assert "click" in loaded
    assert not loaded & HEAVY
    assert not [name for name in loaded if name.split(".")[0] == "dbt"]
    assert len([name for name in loaded if name.startswith("backfill_safety")]) < 12
