"""`var()`: what the command line, dbt_project.yml and the packages say, in dbt's order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MAX_PROJECT_BYTES = 1_000_000


@dataclass(frozen=True)
class Project:
    """What dbt_project.yml holds and the manifest does not."""

    name: str = ""
    vars: Mapping[str, Any] = field(default_factory=dict)
    dispatch: Mapping[str, list[str]] = field(default_factory=dict)
    """Namespace of `adapter.dispatch` → packages to search, in order."""
    packages: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Installed package → the vars that its own dbt_project.yml declares."""
    found: bool = False


def read_project(root: Path | None) -> Project:
    """The project in a folder, and the packages installed under it; an empty one where there is none.

    A dbt_project.yml that does not parse counts as missing: dbt itself says what is wrong with it.
    """
    if root is None:
        return Project()
    content = _yaml(root / "dbt_project.yml")
    if content is None:
        return Project()
    packages = {}
    folder = root / str(content.get("packages-install-path") or "dbt_packages")
    if folder.is_dir():
        for package in sorted(folder.iterdir()):
            inside = _yaml(package / "dbt_project.yml") or {}
            if isinstance(inside.get("name"), str) and isinstance(inside.get("vars"), dict):
                packages[inside["name"]] = inside["vars"]
    dispatch = content.get("dispatch")
    return Project(
        name=str(content.get("name") or ""),
        vars=content["vars"] if isinstance(content.get("vars"), dict) else {},
        dispatch={
            str(d.get("macro_namespace")): [str(p) for p in d.get("search_order") or []]
            for d in (dispatch if isinstance(dispatch, list) else [])
            if isinstance(d, dict)
        },
        packages=packages,
        found=True,
    )


def _yaml(path: Path) -> dict[str, Any] | None:
    import yaml  # type: ignore[import-untyped]  # imported late: it costs 40 ms, and there may be no such file

    try:
        if path.stat().st_size > MAX_PROJECT_BYTES:
            return None
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


class Variables:
    """The vars that models of one package see.

    The command line comes first, then the root project's vars for the package, the root project's own, and
    what the package declares. Source: dbt-core, `VarProvider.vars_for` and `ModelConfiguredVar`.
    """

    def __init__(self, project: Project, given: Mapping[str, Any], package: str) -> None:
        own = project.packages.get(package, {})
        self._layers: list[Mapping[str, Any]] = [given]
        for declared in (project.vars, own):
            scoped = declared.get(package)
            self._layers += [scoped if isinstance(scoped, dict) else {}, declared]

    def has(self, name: str) -> bool:
        return any(name in layer for layer in self._layers)

    def get(self, name: str) -> Any:
        return next(layer[name] for layer in self._layers if name in layer)
