"""Where vars come from that a manifest does not hold: `dbt_project.yml` and `--vars`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from backfill_safety.settings.errors import UsageError
from backfill_safety.settings.yaml_text import YamlError, read_yaml

FILE = "dbt_project.yml"


def project_folder(asked: Path | None, manifest: Path, name: str) -> Path | None:
    """The folder of `--project-dir`; else of the manifest's own project; None where it cannot be told.

    Without being asked, only a project that bears the manifest's `name` is taken: the folder above the
    manifest's own, or the one the command runs in. Raises UsageError where the file is missing or broken.
    """
    if asked is not None:
        _check(asked)
        return asked
    for folder in (manifest.parent.parent, Path()):
        if (folder / FILE).is_file() and _check(folder) == name:
            return folder
    return None


def _check(folder: Path) -> str:
    """The project's name, once its file can be read and has vars that are a mapping."""
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
    if not isinstance(told.get("vars") or {}, dict):
        raise UsageError(f"{file}: vars must be a mapping, not {type(told['vars']).__name__}")
    return str(told.get("name") or "")


def project_texts(folder: Path | None) -> dict[str, str]:
    """The files whose vars a model may see, as they are: the project's own, and its packages'."""
    if folder is None:
        return {}
    told = read_yaml((folder / FILE).read_text(encoding="utf-8"))
    packages = folder / str(told.get("packages-install-path") or "dbt_packages")
    found = {FILE: (folder / FILE).read_text(encoding="utf-8")}
    for file in sorted(packages.glob(f"*/{FILE}")):
        with suppress(OSError):
            found[str(file.relative_to(packages))] = file.read_text(encoding="utf-8", errors="replace")
    return found


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
