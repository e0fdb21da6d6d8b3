"""Every rule of the six rooms, by code."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from backfill_safety.checks import bounded, cost, idempotent, isolated, reversible, watermark
from backfill_safety.checks.rule import Rule

ROOMS = (bounded, idempotent, isolated, watermark, cost, reversible)


def _rules() -> dict[str, Rule]:
    found: dict[str, Rule] = {}
    for room in ROOMS:
        for file in sorted(iter_modules(room.__path__), key=lambda module: module.name):
            rule: Rule = import_module(f"{room.__name__}.{file.name}").RULE
            found[rule.code] = rule
    return found


RULES: dict[str, Rule] = _rules()
