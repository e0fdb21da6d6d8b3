"""The manifest's macros by name, as dbt finds them, compiled when first called."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from jinja2 import Template
from jinja2.exceptions import UndefinedError

from backfill_safety.manifest import Macro, Manifest

from .adapters import chain
from .frozen import FrozenDict
from .sandbox import MacroCall, Sandbox
from .syntax import PREFIX
from .values import ReturnSignal


class RealMacro(MacroCall):
    """A macro of the manifest, callable from templates. Shared by all models."""

    __slots__ = ("_compiled", "_sandbox", "macro", "used")

    def __init__(self, sandbox: Sandbox, macro: Macro, used: set[str]) -> None:
        self._sandbox, self.macro, self.used = sandbox, macro, used
        self._compiled: Any = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        budget = self._sandbox.budget
        self.used.add(self.macro.unique_id)
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
    """All macros of a manifest, sorted into packages. dbt's own packages count as one, the adapter's part first."""

    def __init__(self, manifest: Manifest, sandbox: Sandbox, used: set[str]) -> None:
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
        for package in (self.internal_packages[0], *reversed(self.internal_packages[1:])):
            found.update(self.packages.get(package, {}))
        return found

    @cached_property
    def others(self) -> dict[str, Package]:
        """Packages that are named in templates, as in `dbt_utils.star(…)`."""
        return {name: macros for name, macros in self.packages.items() if name not in self.internal_packages}

    def namespace(self, package: str) -> Namespace:
        return Namespace(self, package)


class Namespace:
    """The macros that a node of one package can call. Source: dbt-core, `MacroNamespace`."""

    def __init__(self, index: MacroIndex, package: str) -> None:
        self._index = index
        self._layers: list[dict[str, Any]] = [
            index.others.get(package, {}),
            index.others.get(index.root, {}),
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
        return isinstance(found, RealMacro) and found.macro.package_name in self._index.internal_packages

    def from_package(self, package: str | None, name: str) -> RealMacro | None:
        if package is None:
            found = self.get(name)
            return found if isinstance(found, RealMacro) else None
        macros = self._index.internal if package == "dbt" else self._index.others.get(package, {})
        found = macros.get(name)
        return found if isinstance(found, RealMacro) else None
