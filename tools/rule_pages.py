"""Writes docs/rules/ from the rules' own documentation; a test notices when that was forgotten."""

from __future__ import annotations

from pathlib import Path

from backfill_safety.checks.registry import RULES
from backfill_safety.report.rule_page import index, page

FOLDER = Path(__file__).parents[1] / "docs" / "rules"


def pages() -> dict[str, str]:
    """Every file's name and text."""
    found = {f"{rule.code}.md": page(rule) for rule in RULES.values()}
    return {"README.md": index(RULES.values()), **found}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = pages()
    for file in FOLDER.glob("*.md"):
        if file.name not in wanted:
            file.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
