"""The table of findings: five columns that keep their shape at any width."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from unicodedata import combining, east_asian_width

HEAD = ("#", "Severity", "Check", "Finding", "Safe alternative")
MIN_WIDTH = 60
# A long name, path or expression is broken after these, and anywhere in a piece that is still too long.
_PIECES = re.compile(r"[^/_,=]*[/_,=]+|[^/_,=]+")


def draw(rows: Sequence[Sequence[str]], width: int) -> str:
    """The table as text, no line wider than `width` columns (at least `MIN_WIDTH`)."""
    widths = _widths(rows, max(width, MIN_WIDTH))
    rule = "|" + "|".join("-" * (w + 2) for w in widths) + "|"
    return "\n".join([*_row(HEAD, widths), rule, *(line for row in rows for line in _row(row, widths))])


def _row(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    columns = [wrap(cell, w) or [""] for cell, w in zip(row, widths, strict=True)]
    for parts in zip_longest(*columns, fillvalue=""):
        padded = (part + " " * (w - cells(part)) for part, w in zip(parts, widths, strict=True))
        yield "| " + " | ".join(padded) + " |"


def _widths(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """The first three columns as wide as they need; the two of prose share the rest, or take less."""
    natural = [max(cells(text) for text in column) for column in zip(HEAD, *rows, strict=True)]
    rest = width - sum(natural[:3]) - 3 * len(HEAD) - 1
    finding, alternative = natural[3:]
    if finding + alternative > rest:
        finding = min(finding, max(rest - rest // 2, rest - alternative))
        alternative = rest - finding
    return [*natural[:3], finding, alternative]


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most `width` columns; words that fit stay whole, others break where a reader expects it."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        if cells(line) + bool(line) + cells(word) <= width:
            line = f"{line} {word}" if line else word
            continue
        space = bool(line)
        for piece in [word] if cells(word) <= width else _pieces(word, width):
            if line and cells(line) + space + cells(piece) > width:
                lines.append(line)
                line, space = "", False
            line = f"{line} {piece}" if space else line + piece
            space = False
    return [*lines, line] if line else lines


def _pieces(word: str, width: int) -> list[str]:
    """A word cut into pieces of at most `width` columns."""
    pieces: list[str] = []
    for piece in _PIECES.findall(word):
        part = ""
        for char in piece:
            if cells(part + char) > width:
                pieces.append(part)
                part = ""
            part += char
        pieces.append(part)
    return pieces


def cells(text: str) -> int:
    """The columns that a terminal needs for `text`: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
