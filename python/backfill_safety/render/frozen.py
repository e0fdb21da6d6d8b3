"""Views of the manifest that a template can read and cannot change, so that no model can alter what the
next one sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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


class FrozenView(FrozenDict):
    """A mapping whose values are frozen when they are first asked for: a node holds much that few templates
    read."""

    def __init__(self, names: Iterable[str], read: Callable[[str], Any]) -> None:
        super().__init__()
        self._names, self._read = tuple(names), read

    def __missing__(self, key: str) -> Any:
        if key not in self._names:
            raise KeyError(key)
        value = freeze(self._read(key))
        dict.__setitem__(self, key, value)
        return value

    def get(self, key: str, default: Any = None) -> Any:
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key: object) -> bool:
        return key in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def keys(self) -> Any:
        return list(self._names)

    def values(self) -> Any:
        return [self[name] for name in self._names]

    def items(self) -> Any:
        return [(name, self[name]) for name in self._names]


_PLAIN = (str, int, float, bool, type(None))


def freeze(value: Any) -> Any:
    """A deep copy of plain JSON that a template cannot change."""
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, dict):
        return FrozenDict({k: v if isinstance(v, _PLAIN) else freeze(v) for k, v in value.items()})
    if isinstance(value, (list, tuple)):
        return FrozenList([freeze(v) for v in value])
    return value


def is_mutator(obj: Any, name: str) -> bool:
    """Whether `obj.name` would change something shared."""
    return name in _MUTATORS and isinstance(obj, (FrozenDict, FrozenList))
