"""Follows traced values through printing, and names the marks that stand for them.

Printing turns a value into plain characters. A traced one is printed between private characters that carry
its number; `settle` takes them out again wherever a finished text comes back to the template, so a template
never sees them.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from typing import Any

from .traced import Origin, Segment, Traced, TracedDate, TracedDatetime, TracedFloat, TracedInt, Unknown
from .types import Mark, MarkKind

OPEN, MIDDLE, CLOSE = "\ue000", "\ue001", "\ue002"
PRIVATE = re.compile(f"[{OPEN}{MIDDLE}{CLOSE}]")

_KEY = str(secrets.randbelow(10**12))
"""A template cannot know the number, so it cannot pass off its own text as a mark's."""
_SPAN = re.compile(f"{OPEN}{_KEY}\\.(\\d+){MIDDLE}([^{OPEN}{CLOSE}]*){CLOSE}")

_NUMBERED = ("query", "columns", "relation", "other")
"""Kinds whose name is too long to stand in a mark's text."""


class Tracer:
    """The marks of one rendering, and of the ephemeral models and hooks it pulls in."""

    def __init__(self) -> None:
        self._texts: dict[tuple[Origin, str | None], str] = {}
        self._numbers: dict[tuple[Origin, str | None], int] = {}
        self._origins: list[Origin] = []
        self._taken: set[str] = set()
        self.tested: set[Origin] = set()

    def unknown(self, kind: MarkKind, name: str, cls: type[Unknown] = Unknown) -> Unknown:
        """The value of something that only the warehouse, the profile or the command line knows."""
        origin = Origin(kind, name)
        return cls.make(self._mark(origin, None), origin, self)

    def marks(self) -> tuple[Mark, ...]:
        found = [
            Mark(text, origin.kind, origin.name, value, origin in self.tested)
            for (origin, value), text in self._texts.items()
        ]
        return tuple(sorted(found, key=lambda m: m.text))

    def _mark(self, origin: Origin, value: str | None) -> str:
        """The text that stands for a value, made at first need."""
        text = self._texts.get((origin, value))
        if text is None:
            name = (
                "" if origin.kind in _NUMBERED else re.sub(r"\W+", "_", origin.name.lower()).strip("_")[:60]
            )
            stem = text = f"__{origin.kind}_{name}__" if name else f"__{origin.kind}_1__"
            count = 1
            while text in self._taken:
                count += 1
                text = f"{stem[:-2]}_{count}__" if name else f"__{origin.kind}_{count}__"
            self._taken.add(text)
            self._texts[(origin, value)] = text
        return text

    # -- printing

    def show(self, segments: tuple[Segment, ...]) -> str:
        """A traced text as it is printed."""
        return "".join(self._between(s.text, s.origin) if s.origin else s.text for s in segments)

    def show_value(self, value: Any, text: str) -> str:
        """A traced number or date as it is printed."""
        return self._between(text, value._origin)

    def _between(self, text: str, origin: Origin) -> str:
        known = None if (origin, None) in self._texts else text
        number = self._numbers.get((origin, known))
        if number is None:
            number = self._numbers[(origin, known)] = len(self._origins)
            self._origins.append(origin)
        return f"{OPEN}{_KEY}.{number}{MIDDLE}{PRIVATE.sub('', text)}{CLOSE}"

    def segments(self, text: str) -> list[Segment]:
        """A printed text taken apart again."""
        found: list[Segment] = []
        end = 0
        for span in _SPAN.finditer(text):
            if span.start() > end:
                found.append(Segment(PRIVATE.sub("", text[end : span.start()]), None))
            number = int(span.group(1))
            origin = self._origins[number] if number < len(self._origins) else None
            found.append(Segment(span.group(2), origin))
            end = span.end()
        if end < len(text):
            found.append(Segment(PRIVATE.sub("", text[end:]), None))
        return found

    def settle(self, text: str) -> str:
        """What a template may see of a printed text."""
        if OPEN not in text:
            return text
        segments = tuple(self.segments(text))
        if len(segments) == 1 and segments[0].origin and self.is_unknown(segments[0]):
            return self.unknown(*segments[0].origin)
        return Traced(segments) if any(s.origin for s in segments) else "".join(s.text for s in segments)

    def is_unknown(self, segment: Segment) -> bool:
        return segment.origin is not None and (segment.origin, None) in self._texts

    def mark_of(self, segment: Segment) -> str:
        """What stands for a segment in the marked SQL."""
        if segment.origin is None or self.is_unknown(segment):
            return segment.text
        return self._mark(segment.origin, segment.text)

    # -- operations on texts

    def apply(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a pure function of texts and keep the origins of what it was given.

        The function runs twice, on the plain texts and on the printed ones; when both agree, the second
        shows which part of the answer comes from where, else the whole answer gets the first origin.
        """
        plain = function(*args, **kwargs)
        if not isinstance(plain, (str, list)):
            return plain
        try:
            shown = function(
                *(self._shown(a) for a in args), **{k: self._shown(v) for k, v in kwargs.items()}
            )
        except Exception:
            shown = plain
        origin = next((found for a in (*args, *kwargs.values()) if (found := origin_of(a))), None)
        if isinstance(plain, str):
            return self._agreed(plain, shown, origin)
        same = isinstance(shown, list) and len(shown) == len(plain)
        return [self._agreed(p, s, origin) for p, s in zip(plain, shown if same else plain, strict=True)]

    def _agreed(self, plain: Any, shown: Any, origin: Origin | None) -> Any:
        """A text with its parts told apart, where both runs agree on it."""
        if not isinstance(plain, str) or not isinstance(shown, str):
            return plain
        settled = self.settle(shown)
        if origin and str.__ne__(settled, plain):
            return Traced((Segment(str(plain), origin),))
        return settled

    def _shown(self, value: Any, depth: int = 0) -> Any:
        if isinstance(value, Traced):
            return self.show(value.segments)
        if isinstance(value, (TracedInt, TracedFloat, TracedDate, TracedDatetime)):
            return value
        if depth < 3 and isinstance(value, (list, tuple)):
            return type(value)([self._shown(v, depth + 1) for v in value])
        if depth < 3 and type(value) is dict:
            return {k: self._shown(v, depth + 1) for k, v in value.items()}
        return value


def origin_of(value: Any, depth: int = 0) -> Origin | None:
    """The origin of a value, or of the first traced one inside a list or mapping."""
    if isinstance(value, (Traced, TracedInt, TracedFloat, TracedDate, TracedDatetime)):
        return value._origin
    if depth < 3 and isinstance(value, (list, tuple, dict)):
        inside = value.values() if isinstance(value, dict) else value
        return next((found for v in inside if (found := origin_of(v, depth + 1))), None)
    return None
