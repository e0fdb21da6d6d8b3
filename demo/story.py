"""How the demo speaks: chapters, commands and what they print, and claims that are really checked."""

from __future__ import annotations

import textwrap
import time

WIDTH = 100


class Story:
    """Prints the demo and counts its claims; one that does not hold makes the demo fail."""

    def __init__(self) -> None:
        self.chapters = 0
        self.claims = 0
        self.broken: list[str] = []
        self.started = time.monotonic()

    def chapter(self, title: str) -> None:
        self.chapters += 1
        print(f"\n\n{self.chapters}  {title}\n", flush=True)

    def say(self, text: str, indent: int = 3) -> None:
        """Print a paragraph, filled."""
        margin = " " * indent
        one_line = " ".join(text.split())
        print(textwrap.fill(one_line, WIDTH, initial_indent=margin, subsequent_indent=margin), flush=True)

    def show(self, lines: list[str]) -> None:
        """Print lines as they are, indented."""
        print(textwrap.indent("\n".join(lines), "     "), flush=True)

    def way(self, command: str, effect: str, *, holds: bool) -> None:
        """One way to do it and what it does; `holds` says whether that is what was measured."""
        self._count(effect, holds)
        print(f"   {command}")
        self.say(effect if holds else f"FAILS: {effect}", indent=6)

    def claim(self, text: str, holds: bool) -> None:
        self._count(text, holds)
        print(f"   {'holds' if holds else 'FAILS'}  {text}", flush=True)

    def _count(self, text: str, holds: bool) -> None:
        self.claims += 1
        if not holds:
            self.broken.append(" ".join(text.split()))

    def end(self) -> int:
        """Say how it went; returns the exit status."""
        seconds = time.monotonic() - self.started
        print(
            f"\n{self.claims - len(self.broken)} of {self.claims} claims hold, in {seconds:.0f} s.",
            flush=True,
        )
        for text in self.broken:
            print(f"does not hold: {text}")
        return 1 if self.broken else 0
