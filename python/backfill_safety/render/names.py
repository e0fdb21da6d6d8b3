"""Names that stand for other names: `var`, `builtins` and `context`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jinja2.utils import missing

if TYPE_CHECKING:
    from .scope import ModelScope


class Var:
    """`var`: a function with `has_var`."""

    def __init__(self, scope: ModelScope) -> None:
        self._scope = scope

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._scope.var(*args, **kwargs)

    def has_var(self, name: Any) -> bool:
        return self._scope.variables.has(str(name))


class Builtins:
    """`builtins`: dbt's own functions, which a project's `ref` calls when it replaces `ref`."""

    def __init__(self, scope: ModelScope) -> None:
        self._scope = scope

    def __getattr__(self, name: str) -> Any:
        found = missing if name.startswith("_") else self._scope.builtin(name)
        if found is missing:
            raise AttributeError(name)
        return found

    def __getitem__(self, name: str) -> Any:
        found = self._scope.builtin(str(name))
        if found is missing:
            raise KeyError(name)
        return found

    def get(self, name: str, default: Any = None) -> Any:
        found = self._scope.builtin(str(name))
        return default if found is missing else found


class Names:
    """`context`: all names as a mapping."""

    def __init__(self, scope: ModelScope) -> None:
        self._scope = scope

    def __getitem__(self, name: str) -> Any:
        found = self._scope.lookup(str(name))
        if found is missing:
            raise KeyError(name)
        return found

    def __contains__(self, name: str) -> bool:
        return self._scope.lookup(str(name)) is not missing

    def get(self, name: str, default: Any = None) -> Any:
        found = self._scope.lookup(str(name))
        return default if found is missing else found

    def update(self, values: Mapping[str, Any]) -> None:
        self._scope.set(values)
