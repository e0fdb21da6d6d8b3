"""The statements inside blocks and quoted scripts, which no parser of single statements reads: `begin … end`, `do $$ … $$`, `exec('…')`."""

from __future__ import annotations

import re

_OPENS = re.compile(
    r"\s*(?:begin\s+(?!work|tran|isolation|read|not\s)\w|declare\b.*?\bbegin\b|do\b|if\b|execute\s+immediate\b|exec(?:ute)?\b)",
    re.IGNORECASE | re.DOTALL,
)
_QUOTED = re.compile(r"(\$\w*\$)(?P<dollars>.*?)\1|N?'(?P<quotes>(?:[^']|'')*)'", re.DOTALL | re.IGNORECASE)
_SCRIPT = re.compile(r"\s*(?:do|execute\s+immediate|exec(?:ute)?)\b", re.IGNORECASE)
_STARTS = re.compile(
    r"\b(?:insert\s+(?:into|overwrite)|replace\s+into|update\s+[\w.\"`\[]|merge\s+(?:into\s+)?[\w.\"`\[]|delete\s+from|truncate\b|drop\s+table|"
    r"create\s+(?:or\s+replace\s+)?(?:transient\s+)?table|alter\s+table|lock\s+(?:tables?\s)?|call\s)",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\s+end(?:\s+(?:if|loop|case|while))?\s*(?:\$\w*\$)?\s*$", re.IGNORECASE)
_VARIABLE = re.compile(
    r"(?:\bset\b|\blet\b|\bdefault\b|:=)[^;]*\b(?:max|min)\s*\(|\b(?:max|min)\s*\([^;]*?\binto\b",
    re.IGNORECASE,
)


def statements_inside(text: str) -> list[str]:
    """The writing statements in a block or a quoted script; empty where the text opens none."""
    if not _OPENS.match(text):
        return []
    found = []
    for piece in _body(text).split(";"):
        start = _STARTS.search(piece)
        if start:
            found.append(_ENDS.sub("", piece[start.start() :]).strip())
    return found


def holds_extreme(text: str) -> bool:
    """Whether a script keeps a maximum in a variable, which a later statement may write."""
    return bool(_VARIABLE.search(text))


def _body(text: str) -> str:
    if not _SCRIPT.match(text):
        return text
    found = _QUOTED.search(text)
    if found is None:
        return text
    return found["dollars"] if found["dollars"] is not None else found["quotes"].replace("''", "'")
