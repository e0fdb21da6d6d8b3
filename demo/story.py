"""How the demo speaks: headings, commands and their output, and claims that are really checked."""

from __future__ import annotations

import textwrap
import time


class Story:
    """Prints the demo and keeps count of the claims; a claim that does not hold makes the demo fail."""

    def __init__(self) -> None:
        self.chapters = 0
        self.claims = 0
        self.broken: list[str] = []
        self.started = time.monotonic()

    def chapter(self, title: str) -> None:
        self.chapters += 1
        print(f"\n{self.chapters}  {title}\n", flush=True)

    def say(self, text: str) -> None:
        print(textwrap.fill(" ".join(text.split()), 100, initial_indent="   ", subsequent_indent="   "), flush=True)

    def show(self, lines: list[str], keep: int | None = None) -> None:
        """Print lines as they are, indented; of more than `keep` lines only the first and last few."""
        if keep is not None and len(lines) > keep:
            left_out = len(lines) - keep
            lines = [*lines[: keep // 2], f"… {left_out} more lines …", *lines[-(keep - keep // 2) :]]
        print(textwrap.indent("\n".join(lines), "     "), flush=True)

    def claim(self, text: str, holds: bool) -> None:
        self.claims += 1
        print(f"   {'[holds]' if holds else '[FAILS]'}  {text}", flush=True)
        if not holds:
            self.broken.append(text)

    def end(self) -> int:
        """Say how it went; returns the exit status."""
        seconds = time.monotonic() - self.started
        held = self.claims - len(self.broken)
        print(f"\n{held} of {self.claims} claims hold; {seconds:.0f} s.", flush=True)
        for text in self.broken:
            print(f"does not hold: {text}")
        return 1 if self.broken else 0
