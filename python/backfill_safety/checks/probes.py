"""Renders a model once more under other vars, to see what giving them would change."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from backfill_safety.facts.parsing import UnreadableError
from backfill_safety.facts.query import QueryFacts
from backfill_safety.facts.target import Target, target_of
from backfill_safety.manifest import Manifest, Node
from backfill_safety.render import Project, Renderer, Rendering

FIRST, LAST = "2001-01-01", "2001-01-08"
"""What is given to vars to see whether giving them opens a window."""
KEPT = 8
"""Renderers kept at once."""
TRIES = 3
"""A branch that a var opens may ask for more vars; this often they are given."""


def query_facts(rendering: Rendering, target: Target, given: Mapping[str, Any]) -> QueryFacts:
    """The facts of a rendering's SQL.

    Raises:
        UnreadableError: it cannot be read.
    """
    partitions = target.partitioning.names if target.partitioning else ()
    return QueryFacts(
        rendering,
        target.traits.dialect,
        given=frozenset(given),
        partition_column=partitions[0] if partitions else "",
        window_columns=frozenset((*target.key, *partitions)),
    )


class Probes:
    """Renders models of one manifest under vars that nobody gave."""

    def __init__(self, manifest: Manifest, vars: Mapping[str, Any], project: Project | None) -> None:  # noqa: A002
        self.manifest, self.vars, self.project = manifest, dict(vars), project
        self._renderers: dict[str, Renderer] = {}

    def opened(self, node: Node, rendering: Rendering, live: QueryFacts) -> QueryFacts | None:
        """The live run with a date for every var that is now empty; None when there is none, or it cannot be read."""
        if not any(not arm.lower or not arm.upper for arm in live.arms if arm.source):
            return None
        given: dict[str, Any] = {}
        probe = rendering
        for _ in range(TRIES):
            opened = {name: _date_for(name) for name in self._empty(probe) if name not in given}
            if not opened:
                break
            given |= opened
            probe = self._render(node, given)
            if probe.error is not None:
                return None
        if not given:
            return None
        try:
            return self._facts(probe)
        except UnreadableError:
            return None

    def alike(self, node: Node, rendering: Rendering, live: QueryFacts) -> bool:
        """Whether the SQL is bounded alike whatever the vars without a value are that decide on its form."""
        names = [m.name for m in rendering.marks if m.unknown and m.tested and m.kind == "var"]
        if not names:
            return True
        texts = [
            node.code,
            *(self.manifest.macros[m].macro_sql for m in rendering.macros if m in self.manifest.macros),
        ]
        if any(_compared(name, text) for name in names for text in texts):
            return False  # with which value it is compared cannot be tried out
        forms = [live]
        given: list[object] = [[], ["probe"], FIRST]
        for (
            value
        ) in given:  # nobody knows whether it is a list or a text: a form of the wrong kind may not parse
            probe = self._render(node, dict.fromkeys(names, value))
            if probe.error is None:
                with suppress(UnreadableError):
                    forms.append(self._facts(probe))
        return len(forms) >= len(given) and len({_signature(form) for form in forms}) == 1

    def _render(self, node: Node, given: Mapping[str, Any]) -> Rendering:
        """Renderers are kept: models of one project ask for the same few vars."""
        key = repr(sorted(given.items()))
        if key not in self._renderers:
            if len(self._renderers) >= KEPT:
                self._renderers.pop(next(iter(self._renderers)))
            self._renderers[key] = Renderer(self.manifest, {**self.vars, **given}, self.project)
        return self._renderers[key].render(node, "live")

    def _facts(self, rendering: Rendering) -> QueryFacts:
        return query_facts(rendering, target_of(rendering.config, self.manifest.adapter), self.vars)

    def _empty(self, rendering: Rendering) -> list[str]:
        """The vars that were asked for and are empty by their default, so that giving them may open another branch."""
        without = {m.name for m in rendering.marks if m.kind == "var" and m.unknown and not m.tested}
        return [
            name
            for name, value in rendering.vars_read.items()
            if _closed(name, value) and name not in self.vars and name not in without
        ]


def _compared(name: str, text: str) -> bool:
    """Whether a template does more with a var than ask whether it is there: compares it, or keeps it for later."""
    for found in re.finditer(rf"\bvar\(\s*['\"]{re.escape(name)}['\"][^)]*\)", text):
        before = text[: found.start()].rpartition("{%")[2] if "{%" in text[: found.start()] else ""
        after = re.split(r"[%}]}", text[found.end() :], maxsplit=1)[0]
        kept = re.match(r"-?\s*set\b", before) is not None and "%}" not in before
        beside = before.rpartition("%}")[2]
        if kept or re.search(r"==|!=|<|>|\bin\b|\bis\b", after + " " + beside[-40:].replace("for ", "")):
            return re.search(r"\bfor\s+\w+\s+in\s*$", beside) is None
    return False


def _signature(facts: QueryFacts) -> frozenset[object]:
    """How the streams are bounded, without regard to where and how often."""
    return frozenset(
        (arm.source, arm.anti, frozenset((b.side, b.kinds, b.column) for b in arm.bounds))
        for arm in facts.arms
    )


_NOTHING = {"notset", "not_set", "unset", "none", "null", "nil", "na", "n/a", "no", "off", "false", "-"}
_OPENERS = (
    "backfill",
    "window",
    "range",
    "reprocess",
    "replay",
    "histor",
    "override",
    "manual",
    "custom",
    "start",
    "end",
    "date",
)


def _closed(name: str, value: object) -> bool:
    """Whether a var's value is one that keeps a branch shut: nothing, or a word for it where the name speaks of windows."""
    if value is False or (isinstance(value, str) and value.strip().lower() in _NOTHING):
        return any(word in name.lower() for word in _OPENERS)
    return value is None or value == "" or value == [] or value == {}


def _date_for(name: str) -> str:
    ends = any(word in name.lower() for word in ("end", "to", "until", "last", "max", "high"))
    return LAST if ends else FIRST
