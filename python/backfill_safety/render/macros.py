"""The manifest's macros by name, as dbt finds them, compiled when first called."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from jinja2 import Template
from jinja2.exceptions import UndefinedError

from backfill_safety.manifest import Macro, Manifest

from .adapters import chain
from .frozen import FrozenDict
from .sandbox import MacroCall, Sandbox
from .standins import PACKAGE as STAND_IN
from .standins import stand_ins
from .syntax import PREFIX
from .values import ReturnSignal

_STRATEGY = re.compile(
    r"^(\w+__)?get_(incremental_\w+|merge|delete_insert_merge|insert_overwrite_merge|insert_into)_sql$"
)


class RealMacro(MacroCall):
    """A macro of the manifest, callable from templates. Shared by all models."""

    __slots__ = ("_compiled", "_sandbox", "_used", "macro")

    def __init__(self, sandbox: Sandbox, macro: Macro, used: set[str]) -> None:
        self._sandbox, self.macro, self._used = sandbox, macro, used
        self._compiled: Any = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        budget = self._sandbox.budget
        self._used.add(self.macro.unique_id)
        budget.enter()
        try:
            return (self._compiled or self._compile())(*args, **kwargs)
        except ReturnSignal as signal:
            return signal.value
        finally:
            budget.leave()

    def _compile(self) -> Any:
        template: Template = self._sandbox.from_string(self.macro.macro_sql)
        context = template.new_context({}, shared=True)
        for _ in template.root_render_func(context):
            pass
        self._compiled = context.vars.get(PREFIX + self.macro.name)
        if self._compiled is None:
            raise UndefinedError(f"{self.macro.unique_id} holds no macro of that name")
        return self._compiled

    # dbt_utils and others read these from a macro that they were handed
    @property
    def name(self) -> str:
        return self.macro.name


class Package(FrozenDict):
    """The macros of one package, by name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.package_name = name

    def hint(self, macro: str) -> str:
        return f"the manifest holds no macro {self.package_name}.{macro}"


class MacroIndex:
    """All macros of a manifest, sorted into packages. dbt's own packages count as one, the adapter's part
    first."""

    def __init__(
        self, manifest: Manifest, sandbox: Sandbox, used: set[str], dispatch: Mapping[str, list[str]]
    ) -> None:
        self._sandbox, self._used, self._dispatch = sandbox, used, dispatch
        self._dispatched: dict[tuple[int, str, str | None], tuple[RealMacro | None, frozenset[str]]] = {}
        self.adapter = manifest.adapter
        self.root = manifest.project_name
        self.adapters = chain(manifest.adapter)
        self.parsed_with = manifest.parsed_with
        names = dict.fromkeys((*self.adapters, *chain(manifest.parsed_with)))
        self.internal_packages = ("dbt", *(f"dbt_{name}" for name in names))
        self.packages: dict[str, Package] = {}
        for macro in manifest.macros.values():
            call = RealMacro(sandbox, macro, used)
            package = self.packages.get(macro.package_name)
            if package is None:
                package = self.packages[macro.package_name] = Package(macro.package_name)
            package[macro.name] = call

    @cached_property
    def internal(self) -> Package:
        found = Package("dbt")
        if self.parsed_with and self.parsed_with != self.adapter:
            found.update({m.name: RealMacro(self._sandbox, m, self._used) for m in stand_ins(self.adapter)})
        for package in (self.internal_packages[0], *reversed(self.internal_packages[1:])):
            found.update(self.packages.get(package, {}))
        return found

    @cached_property
    def others(self) -> dict[str, Package]:
        """Packages that are named in templates, as in `dbt_utils.star(…)`."""
        return {name: macros for name, macros in self.packages.items() if name not in self.internal_packages}

    def namespace(self, package: str) -> Namespace:
        return Namespace(self, package)

    def dispatch(
        self, namespace: Namespace, name: str, package: str | None
    ) -> tuple[RealMacro | None, frozenset[str]]:
        """The adapter's form of a macro, and the names of forms that the manifest should hold and lacks.

        Source: dbt-core, `BaseDatabaseWrapper.dispatch`.
        """
        key = (id(namespace), name, package)
        if key not in self._dispatched:
            self._dispatched[key] = self._search(namespace, name, package)
        return self._dispatched[key]

    def _search(
        self, namespace: Namespace, name: str, package: str | None
    ) -> tuple[RealMacro | None, frozenset[str]]:
        order: list[str | None] = [None]
        if package is not None:
            order = [*(self._dispatch.get(package) or (self.root, package))]
        for searched in order:
            for prefix in (*self.adapters, "default"):
                found = namespace.from_package(searched, f"{prefix}__{name}")
                if found is not None:
                    return found, self._lacking(namespace, found, name, prefix)
        return None, frozenset()

    def _lacking(self, namespace: Namespace, found: RealMacro, name: str, prefix: str) -> frozenset[str]:
        """What a manifest parsed with another adapter shows to differ by adapter, but not how."""
        if found.macro.package_name == STAND_IN:
            return frozenset({f"{self.adapter}__{name}"})
        if prefix != "default" or not self.parsed_with or self.parsed_with == self.adapter:
            return frozenset()
        differs = namespace.from_package("dbt", f"{self.parsed_with}__{name}") is not None
        return frozenset({f"{self.adapter}__{name}"}) if differs else frozenset()

    @cached_property
    def strategies(self) -> frozenset[str]:
        """dbt's and the adapter's macros that write an incremental model, where the project has its own."""
        own = self.others.get(self.root, Package(self.root))
        materializations = {f"materialization_incremental_{a}" for a in (*self.adapters, "default")}
        return frozenset(
            name
            for name in own
            if name in materializations or (_STRATEGY.match(name) and name in self.internal)
        )


class Namespace:
    """The macros that a node of one package can call. Source: dbt-core, `MacroNamespace`."""

    def __init__(self, index: MacroIndex, package: str) -> None:
        self._index = index
        self._layers: list[dict[str, Any]] = [
            index.others.get(package) or {},
            index.others.get(index.root) or {},
            index.others,
            {"dbt": index.internal},
            index.internal,
        ]
        self._found: dict[str, Any] = {}

    def get(self, name: str) -> Any:
        """A macro, a package's macros as a mapping, or None."""
        if name not in self._found:
            layers = self._layers
            self._found[name] = next((layer[name] for layer in layers if name in layer), None)
        return self._found[name]

    def is_internal(self, found: Any) -> bool:
        """Whether a macro is dbt's or an adapter's own."""
        return isinstance(found, RealMacro) and (
            found.macro.package_name in self._index.internal_packages or found.macro.package_name == STAND_IN
        )

    def from_package(self, package: str | None, name: str) -> RealMacro | None:
        if package is None:
            found = self.get(name)
            return found if isinstance(found, RealMacro) else None
        macros = self._index.internal if package == "dbt" else self._index.others.get(package)
        found = macros.get(name) if macros is not None else None
        return found if isinstance(found, RealMacro) else None
