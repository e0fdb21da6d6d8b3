"""Views of the manifest that a template can read and cannot change, so that no model can alter what the next one sees."""

from __future__ import annotations

from typing import Any

_MUTATORS = frozenset(
    {
        "append",
        "extend",
        "insert",
        "pop",
        "popitem",
        "remove",
        "reverse",
        "sort",
        "clear",
        "update",
        "setdefault",
    }
)


class FrozenDict(dict[str, Any]):
    """A mapping from the manifest. `{{ model.x }}` finds its keys as well as its methods."""


class FrozenList(list[Any]):
    """A list from the manifest."""


def freeze(value: Any) -> Any:
    """A deep copy of plain JSON that a template cannot change."""
    if isinstance(value, dict):
        return FrozenDict({k: freeze(v) for k, v in value.items()})
    if isinstance(value, (list, tuple)):
        return FrozenList([freeze(v) for v in value])
    return value


def is_mutator(obj: Any, name: str) -> bool:
    """Whether `obj.name` would change something shared."""
    return name in _MUTATORS and isinstance(obj, (FrozenDict, FrozenList))
