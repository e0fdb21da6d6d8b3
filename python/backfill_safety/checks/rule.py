"""A rule: its code, its documentation in fixed parts, and its judgement as a function from facts to hits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from backfill_safety.checks.finding import Check, Severity

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts

HEADINGS = ("What it does", "Why it is bad", "Example", "Use instead", "Known limits")


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule found in one model.

    message: what would happen in this model, with its own names. alternative: the safer code or
    command, filled in. severity: where it differs from the rule's own. curable_by_run: the alternative
    changes only how the run is done. line: in the model's file, counted from 1; 0 for the line of the
    model's `config()`, or its first line.
    """

    message: str
    alternative: str = ""
    severity: Severity | None = None
    curable_by_run: bool = True
    line: int = 0


Judge = Callable[["ModelFacts"], Iterable[Hit]]


class Doc(msgspec.Struct, frozen=True):
    """A rule's documentation: a sentence, then the fixed parts in Markdown."""

    summary: str
    what: str
    why: str
    example: str
    instead: str
    limits: str

    @classmethod
    def parse(cls, text: str) -> Doc:
        """Read a docstring with the headings of `HEADINGS`. Raises ValueError where one is missing or empty."""
        parts = re.split(r"^## (.+)$", text.strip(), flags=re.MULTILINE)
        titles = tuple(parts[1::2])
        if titles != HEADINGS:
            raise ValueError(f"the parts are {titles}, they must be {HEADINGS}")
        bodies = [part.strip() for part in parts[0::2]]
        if not all(bodies):
            raise ValueError(f"a part is empty under one of {HEADINGS}")
        return cls(*bodies)


@dataclass(frozen=True)
class Rule:
    """One rule.

    scopes: where it applies, letters of `arp`: manifest audit, review of scripts and jobs, preflight of
    the operation. text: the documentation, see `Doc.parse`. judge: what the audit asks; None for a rule
    that says nothing in the audit.
    """

    code: str
    name: str
    severity: Severity
    scopes: str
    text: str | None
    judge: Judge | None = None

    @property
    def check(self) -> Check:
        """The check it belongs to: the first digit of its code."""
        return Check(int(self.code[2]))

    @cached_property
    def doc(self) -> Doc:
        """The documentation; ValueError where it lacks a part (or was stripped by `python -OO`)."""
        return Doc.parse(self.text or "")
