"""`config`, `flags` and `target`: what a template asks about how it is run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .frozen import FrozenDict
from .traced import Origin, ProductionName, keep
from .tracer import Tracer
from .values import ProjectError

if TYPE_CHECKING:
    from .scope import ModelScope


class Config:
    """`config`. Calling it changes nothing: dbt evaluated it when it parsed the project."""

    def __init__(self, scope: ModelScope, values: FrozenDict) -> None:
        self._scope = scope
        self._values = values

    def __call__(self, *args: Any, **kwargs: Any) -> str:
        self._scope.set_config({**(args[0] if args and isinstance(args[0], Mapping) else {}), **kwargs})
        return ""

    def set(self, name: str, value: Any) -> str:
        self._scope.set_config({name: value})
        return ""

    def get(self, name: str, default: Any = None, validator: Any = None) -> Any:
        return self._values.get(name, default)

    def require(self, name: str, validator: Any = None) -> Any:
        if name not in self._values:
            raise ProjectError(f"the model does not configure {name!r}, which it needs")
        return self._values[name]

    def meta_get(self, name: str, default: Any = None, validator: Any = None) -> Any:
        return (self._values.get("meta") or {}).get(name, default)

    def meta_require(self, name: str, validator: Any = None) -> Any:
        meta = self._values.get("meta") or {}
        if name not in meta:
            raise ProjectError(f"the model does not configure meta.{name}, which it needs")
        return meta[name]

    def persist_relation_docs(self) -> bool:
        return bool((self._values.get("persist_docs") or {}).get("relation", False))

    def persist_column_docs(self) -> bool:
        return bool((self._values.get("persist_docs") or {}).get("columns", False))


class Flags:
    """`flags`: of a plain `dbt run`, with `--full-refresh` in the first branch."""

    def __init__(self, scope: ModelScope) -> None:
        self._scope = scope

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        known = {"FULL_REFRESH": self._scope.full_refresh, "WHICH": "run", "EMPTY": False, "INTROSPECT": True}
        if name.upper() in known:
            return known[name.upper()]
        return self._scope.tracer.unknown("flag", name)

    def get(self, name: str, default: Any = None) -> Any:
        return getattr(self, name)


class Target(FrozenDict):
    """`target`: the profile is not at hand. Its name is taken as production's."""

    def __init__(self, tracer: Tracer, adapter: str, known: Mapping[str, Any]) -> None:
        super().__init__({k: keep(v, Origin("target", k)) for k, v in known.items()})
        self["type"] = adapter
        self._tracer = tracer

    def __missing__(self, key: str) -> Any:
        if key in ("name", "target_name"):
            return self._tracer.unknown("target", "name", ProductionName)
        return self._tracer.unknown("target", str(key))

    def get(self, key: str, default: Any = None) -> Any:
        return self[key]
