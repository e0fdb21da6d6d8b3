"""What `dbt_project.yml` and `--vars` say: the vars that a manifest does not hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from backfill_safety.settings.errors import UsageError
from backfill_safety.settings.yaml_text import YamlError, read_yaml

FILE = "dbt_project.yml"


class Project(msgspec.Struct, frozen=True):
    """The parts of dbt_project.yml that rendering needs, as they stand in the file."""

    name: str = ""
    vars: dict[str, Any] = {}
    dispatch: list[Any] = []
    folder: Path | None = None


def find_project(asked: Path | None, manifest: Path, name: str) -> Project:
    """The project of `--project-dir`; else of the manifest's project, where its folder can be told.

    Without being asked, only a project that bears the manifest's `name` is taken: the folder above the
    manifest's own, or the one the command runs in. Raises UsageError where the file asked for is missing or
    broken.
    """
    if asked is not None:
        return read_project(asked)
    for folder in (manifest.parent.parent, Path()):
        if (folder / FILE).is_file():
            project = read_project(folder)
            if project.name == name or not name:
                return project
    return Project()


def read_project(folder: Path) -> Project:
    """Reads `folder`/dbt_project.yml."""
    file = folder / FILE
    try:
        told = read_yaml(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"there is no {file}: --project-dir is the folder of dbt_project.yml") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    except YamlError as error:
        raise UsageError(f"{file} is not valid YAML: {error}") from None
    if not isinstance(told, dict):
        raise UsageError(f"{file} must be a mapping, with name and vars")
    given, dispatch = told.get("vars") or {}, told.get("dispatch") or []
    if not isinstance(given, dict):
        raise UsageError(f"{file}: vars must be a mapping, not {type(given).__name__}")
    return Project(
        name=str(told.get("name") or ""),
        vars={str(key): value for key, value in given.items()},
        dispatch=dispatch if isinstance(dispatch, list) else [],
        folder=folder,
    )


def read_vars(text: str | None) -> dict[str, Any]:
    """The mapping of `--vars`, as JSON or YAML, as dbt reads it. Raises UsageError."""
    if text is None:
        return {}
    try:
        told = read_yaml(text)
    except YamlError as error:
        raise UsageError(f"--vars is neither JSON nor YAML: {error}") from None
    if told is None:
        return {}
    if not isinstance(told, dict):
        raise UsageError(f'--vars must be a mapping such as \'{{"start_date": "2024-01-01"}}\', not {text!r}')
    return {str(key): value for key, value in told.items()}
