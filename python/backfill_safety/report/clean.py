"""Text from a manifest is a stranger's: it must not move a cursor, open a link or break out of its cell."""

from __future__ import annotations

import re

# Control characters, and those that turn the direction of writing: a reader would see what is not there.
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)


def one_line(text: str) -> str:
    """All white space as single spaces, no control characters."""
    return " ".join(plain(text).split())


def plain(text: str) -> str:
    """Without control characters; new lines and tabs stay."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def escaped(json: str) -> str:
    """JSON that means the same and holds no control characters: a terminal may be what reads it."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", json)
