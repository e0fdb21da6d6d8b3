"""What a user got wrong, said in one line."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class UsageError(Exception):
    """Wrong usage or settings; the text is one line for the user. Exit status 2."""


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean x?` for the known word that comes nearest, else ``."""
    near = get_close_matches(word, sorted(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]}?" if near else ""
