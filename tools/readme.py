"""Puts what the demo printed into the README, between its markers; `--check` only says whether it drifted.

`make demo` leaves the plan and the run in `demo/.work`. Run ids and seconds differ from run to run and are no
drift.
"""

from __future__ import annotations

import difflib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PRINTED = ROOT / "demo" / ".work"

_BLOCK = re.compile(
    r"(?P<head><!-- printed by the demo: (?P<name>\w+) -->\n)(?P<text>.*?)(?P<tail><!-- end -->)", re.DOTALL
)
SAMPLES = {"plan", "run"}
_VOLATILE = [
    (re.compile(r"\b[a-z]\d{8}_\d{6}_\w+"), "RUN"),
    (re.compile(r" *\d+\.\d+ s\b"), " SECONDS"),
]


def sample(name: str) -> str:
    """A sample as Markdown; raises FileNotFoundError when the demo has not run."""
    lines = (PRINTED / f"{name}.txt").read_text(encoding="utf-8").rstrip().split("\n")
    return "\n".join(["```text", *(line.rstrip() for line in lines), "```", ""])


def normalised(text: str) -> str:
    """Text without what differs from run to run."""
    for pattern, word in _VOLATILE:
        text = pattern.sub(word, text)
    return text


def fresh(readme: str) -> str:
    """The README with the samples of the last demo."""
    return _BLOCK.sub(lambda match: match["head"] + sample(match["name"]) + match["tail"], readme)


def main(arguments: list[str]) -> int:
    """Write the README, or with `--check` return 1 when it should be written."""
    old = README.read_text(encoding="utf-8")
    missing = SAMPLES - {match["name"] for match in _BLOCK.finditer(old)}
    if missing:
        print(f"README.md has no <!-- printed by the demo: {sorted(missing)[0]} --> … <!-- end -->")
        return 1
    new = fresh(old)
    if arguments == ["--check"]:
        before, after = (normalised(text).split("\n") for text in (old, new))
        changes = list(difflib.unified_diff(before, after, "README.md", "demo", lineterm="", n=1))
        drifted = "\n".join([*changes, "", "run: make readme"])
        print(drifted if changes else "README.md shows what the demo prints")
        return 1 if changes else 0
    README.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
