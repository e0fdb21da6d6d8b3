"""docs/mutants.md shows every mutant of tools/mutants.yml, in its order."""

from __future__ import annotations

import re
from pathlib import Path

import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[3]
ROW = re.compile(r"^\| \d+ \| (\w+) \| (.+) \| `([^`]+)` \| `[^`]+` \|$", re.MULTILINE)


def test_every_mutant_stands_in_the_table_as_noticed() -> None:
    """A guard that is added or reworded asks for `make mutants`."""
    listed = yaml.safe_load((ROOT / "tools" / "mutants.yml").read_text(encoding="utf-8"))
    shown = ROW.findall((ROOT / "docs" / "mutants.md").read_text(encoding="utf-8"))
    assert shown == [(mutant["check"], mutant["guard"], mutant["file"]) for mutant in listed]
