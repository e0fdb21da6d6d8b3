"""docs/mutants.md shows every mutant of tools/mutants.yml, in its order, and the tests that these name are there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[3]
ROW = re.compile(r"^\| \d+ \| (\w+) \| (.+) \| `([^`]+)` \| `[^`]+` \|$", re.MULTILINE)


def test_every_mutant_stands_in_the_table_as_noticed() -> None:
    """A guard that is added or reworded asks for `make mutants`."""
    listed = yaml.safe_load((ROOT / "tools" / "mutants.yml").read_text(encoding="utf-8"))
    shown = ROW.findall((ROOT / "docs" / "mutants.md").read_text(encoding="utf-8"))
    assert shown == [(mutant["check"], mutant["guard"], mutant["file"]) for mutant in listed]


def test_every_test_that_a_mutant_names_is_there() -> None:
    """An id moves when parameters do; `make mutants` would run nothing."""
    listed = yaml.safe_load((ROOT / "tools" / "mutants.yml").read_text(encoding="utf-8"))
    named = {f"integration_tests/tests/{test}" for mutant in listed for test in mutant["tests"]}
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n", "0", "-p", "no:cacheprovider"]
    collected = subprocess.run(
        [*command, *sorted(named)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert collected.returncode == 0, collected.stderr
