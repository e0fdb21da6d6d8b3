"""Finds the settings file and reads it; whatever is wrong with it is said in one line."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import msgspec

from backfill_safety.settings.errors import UsageError, nearest
from backfill_safety.settings.schema import Ignore, Loaded, Settings

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover
    import tomli as tomllib

Codes = Callable[[], Collection[str]]
"""Every rule's code; asked only where the settings name one, since the rules take a while to import."""

OWN, SHARED = "backfill-safety.toml", "pyproject.toml"
TABLE = "tool.backfill-safety"


def load_settings(config: Path | None, start: Path, codes: Codes) -> Loaded:
    """The settings of `config`, else of the nearest file from `start` upward to the repository's root.

    In one folder backfill-safety.toml comes before a pyproject.toml that has the table.
    Raises UsageError when the file is missing, cannot be read, or says something that is not understood.
    """
    if config is not None:
        table = _table(config)
        if table is None:
            raise UsageError(f"{config} has no table [{TABLE}]")
        return Loaded(_typed(table, config, codes), config)
    for folder in _upward(start):
        for name in (OWN, SHARED):
            file = folder / name
            if file.is_file() and (table := _table(file)) is not None:
                return Loaded(_typed(table, file, codes), file)
    return Loaded(Settings())


def _upward(start: Path) -> list[Path]:
    folders = [start, *start.resolve().parents]
    root = next((i for i, folder in enumerate(folders) if (folder / ".git").exists()), len(folders) - 1)
    return [_from_here(folder) for folder in folders[: root + 1]]


def _from_here(folder: Path) -> Path:
    """Shorter to read in messages, where the folder is this one or below."""
    here = Path.cwd()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder


def _table(file: Path) -> dict[str, Any] | None:
    """The settings as they stand in the file; None when a pyproject.toml has none."""
    try:
        text = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"there is no {file}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{file} is not valid TOML: {str(error).splitlines()[0]}") from None
    if file.name != SHARED:
        return text
    tool = text.get("tool")
    table = tool.get("backfill-safety") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise UsageError(f"{file}: [{TABLE}] must be a table")
    return table


def _typed(table: dict[str, Any], file: Path, codes: Codes) -> Settings:
    known = Settings.__struct_encode_fields__
    for key in table:
        if key not in known:
            raise UsageError(f"{file}: unknown setting {key!r}{nearest(key, known)}")
    for part in table.get("ignore", []) if isinstance(table.get("ignore"), list) else []:
        for key in part if isinstance(part, dict) else ():
            if key not in Ignore.__struct_fields__:
                hint = nearest(key, Ignore.__struct_fields__)
                raise UsageError(f"{file}: unknown key {key!r} in ignore{hint}")
    try:
        settings = msgspec.convert(table, Settings)
    except msgspec.ValidationError as error:
        raise UsageError(f"{file}: {_plain(str(error))}") from None
    for part in settings.ignore:
        check_code(part if isinstance(part, str) else part.rule, codes(), f"{file}: ignore")
    for code in settings.severity:
        if code not in codes():
            raise UsageError(f"{file}: severity: there is no rule {code!r}{nearest(code, codes())}")
    return settings


def check_code(code: str, codes: Collection[str], where: str) -> None:
    """Raises UsageError unless `code` is a rule's code or the beginning of some, from `BF1` on."""
    if not re.fullmatch(r"BF\d{1,3}", code) or not any(known.startswith(code) for known in codes):
        raise UsageError(f"{where}: there is no rule {code!r}{nearest(code, codes)}")


def _plain(text: str) -> str:
    """msgspec's own words, its place first: `select[0]: expected str, got int`."""
    said, _, place = text.replace("`", "").partition(" - at $")
    place = place.replace("[...]", "").removeprefix(".")
    return f"{place}: {said[0].lower()}{said[1:]}" if place else said
