"""The statements inside blocks and quoted scripts, which no parser of single statements reads: `begin … end`, `do $$ … $$`, `exec('…')`."""

from __future__ import annotations

import re

_OPENS = re.compile(
    r"\s*(?:begin\s+(?!work|tran|isolation|read|not\s)\w|declare\b.*?\bbegin\b|do\b|if\b|execute\s+immediate\b|exec(?:ute)?\b)",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(r"\$\w*\$")
_TEXT = re.compile(r"'((?:[^']|'')*)'")
_SCRIPT = re.compile(r"\s*(?:do|execute\s+immediate|exec(?:ute)?)\b", re.IGNORECASE)
_STARTS = re.compile(
    r"\b(?:insert\s+(?:into|overwrite)|replace\s+into|update\s+[\w.\"`\[]|merge\s+(?:into\s+)?[\w.\"`\[]|delete\s+from|truncate\b|drop\s+table|"
    r"create\s+(?:or\s+replace\s+)?(?:transient\s+)?table|alter\s+table|lock\s+(?:tables?\s)?|call\s)",
    re.IGNORECASE,
)
_ENDS = re.compile(r" end(?: (?:if|loop|case|while))?(?: ?\$\w*\$)?$", re.IGNORECASE)
_KEEPS = re.compile(r"\bset\b|\blet\b|\bdefault\b|:=", re.IGNORECASE)
_EXTREME = re.compile(r"\b(?:max|min)\s*\(", re.IGNORECASE)
_INTO = re.compile(r"\binto\b", re.IGNORECASE)


def statements_inside(text: str) -> list[str]:
    """The writing statements in a block or a quoted script; empty where the text opens none."""
    if not _OPENS.match(text):
        return []
    found = []
    for piece in _body(text).split(";"):
        words = " ".join(piece.split())
        start = _STARTS.search(words)
        if start:
            found.append(_ENDS.sub("", words[start.start() :]).strip())
    return found


def holds_extreme(text: str) -> bool:
    """Whether a script keeps a maximum in a variable, which a later statement may write."""
    for piece in text.split(";"):
        extremes = [found.start() for found in _EXTREME.finditer(piece)]
        kept = _KEEPS.search(piece) if extremes else None
        if extremes and ((kept and kept.start() < extremes[-1]) or _INTO.search(piece, extremes[0])):
            return True
    return False


def _body(text: str) -> str:
    if not _SCRIPT.match(text):
        return text
    tag = _TAG.search(text)
    end = text.find(tag[0], tag.end()) if tag else -1
    if tag and end >= 0:
        return text[tag.end() : end]
    quoted = _TEXT.search(text)
    return quoted[1].replace("''", "'") if quoted else text
