"""Adds `meta.backfill_safety` to a model in a properties file and leaves every other character as it was.

PyYAML tells where each mapping stands in the text; lines are inserted there. The result is read again and
must differ from what was there by the addition alone, else nothing is changed.
"""

from __future__ import annotations

import json
import re
from typing import Any

from backfill_safety.settings.yaml_text import YamlError, read_yaml

KEY = "backfill_safety"
STEP = 2


class EditError(Exception):
    """The file cannot be edited safely; says why in a few words."""


def add_meta(text: str, model: str, values: dict[str, Any]) -> str:
    """The text of a properties file with `values` in the `meta.backfill_safety` of `model`.

    Keys that are there already stay as they are. Raises EditError where the entry is missing or cannot be
    added to.
    """
    before = _read(text)
    entry = _entry_of(before, model)
    new = {k: v for k, v in values.items() if k not in _existing(entry)}
    if not new:
        return text
    root = _compose(text)
    changed = _insert(text, _node_of(root, model), _path(entry), new)
    expected = _expected(before, model, new)
    if _read(changed) != expected:
        raise EditError("its entry is written in a way that cannot be added to safely")
    return changed


def _read(text: str) -> Any:
    try:
        return read_yaml(text)
    except YamlError as error:
        raise EditError(f"it is not valid YAML: {error}") from None


def _compose(text: str) -> Any:
    import yaml  # type: ignore[import-untyped]  # imported late: it costs 40 ms

    return yaml.compose(text, Loader=yaml.SafeLoader)


def _entry_of(content: Any, model: str) -> dict[str, Any]:
    models = content.get("models") if isinstance(content, dict) else None
    found = [m for m in models or () if isinstance(m, dict) and m.get("name") == model]
    if len(found) != 1:
        raise EditError(f"it has {len(found) or 'no'} entries for {model}")
    return found[0]


def _existing(entry: dict[str, Any]) -> dict[str, Any]:
    found: Any = entry
    for key in (*_path(entry), KEY):
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def _path(entry: dict[str, Any]) -> tuple[str, ...]:
    """Where the meta belongs: `config.meta`, or the model's own `meta` where only that is there."""
    config = entry.get("config")
    if isinstance(entry.get("meta"), dict) and not (isinstance(config, dict) and "meta" in config):
        return ("meta",)
    return ("config", "meta")


def _expected(before: dict[str, Any], model: str, new: dict[str, Any]) -> dict[str, Any]:
    """What the file must say afterwards. Only the way down is copied: what an alias shares stays."""
    entry = _entry_of(before, model)
    changed = _with(entry, (*_path(entry), KEY), new)
    return {**before, "models": [changed if other is entry else other for other in before["models"]]}


def _with(content: Any, path: tuple[str, ...], new: dict[str, Any]) -> dict[str, Any]:
    own = content if isinstance(content, dict) else {}
    return {**own, path[0]: _with(own.get(path[0]), path[1:], new)} if path else {**own, **new}


def _node_of(root: Any, model: str) -> Any:
    """The mapping node of the model's entry."""
    for entry in _child(root, "models").value:
        name = _child(entry, "name") if entry.id == "mapping" else None
        if name is not None and name.value == model:
            return entry
    raise EditError(f"it has no entry for {model}")


def _child(node: Any, key: str) -> Any:
    """The value node under a key of a mapping node, or None."""
    if node.id != "mapping":
        return None
    return next((value for name, value in node.value if name.value == key), None)


def _insert(text: str, node: Any, path: tuple[str, ...], new: dict[str, Any]) -> str:
    """Goes down as far as mappings are there, then writes the rest."""
    missing = [*path, KEY]
    while missing and (below := _child(node, missing[0])) is not None and below.id == "mapping":
        node = below
        missing.pop(0)
    addition: Any = new
    for key in reversed(missing):
        addition = {key: addition}
    if missing and _child(node, missing[0]) is not None:
        raise EditError(f"its {missing[0]} is not a mapping")
    return _into_flow(text, node, addition) if node.flow_style else _into_block(text, node, addition)


def _into_flow(text: str, node: Any, addition: dict[str, Any]) -> str:
    """`{a: 1}` → `{a: 1, meta: …}`."""
    end = node.end_mark.index - 1
    told = _flow(addition)[1:-1]
    return text[:end] + (", " if node.value else "") + told + text[end:]


def _into_block(text: str, node: Any, addition: dict[str, Any]) -> str:
    """New lines after the last one that belongs to the mapping, indented as its keys are."""
    indent = node.value[0][0].start_mark.column
    last = _last_line(node)
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    if not lines[last].endswith(("\n", "\r")):
        lines[last] += newline
    told = "".join(" " * indent + line + newline for line in lines_of(addition))
    return "".join(lines[: last + 1]) + told + "".join(lines[last + 1 :])


def _last_line(node: Any) -> int:
    """The number, from 0, of the last line on which something of the node stands."""
    while node.id in ("mapping", "sequence") and node.value and not node.flow_style:
        last = node.value[-1]
        node = last[1] if node.id == "mapping" else last
    mark = node.end_mark
    # A block scalar (|, >) ends where the next thing begins.
    return int(mark.line - 1 if mark.column == 0 and mark.line > node.start_mark.line else mark.line)


def lines_of(value: dict[str, Any]) -> list[str]:
    """A mapping as lines of block YAML."""
    lines = []
    for key, inner in value.items():
        if isinstance(inner, dict):
            lines.append(f"{_scalar(key)}:")
            lines += [" " * STEP + line for line in lines_of(inner)]
        else:
            lines.append(f"{_scalar(key)}: {_scalar(inner)}")
    return lines


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(k)}: {_flow(v)}" for k, v in value.items()) + "}"
    return _scalar(value)


def _scalar(value: Any) -> str:
    """A word as it is where YAML reads it back as itself, else quoted as JSON does."""
    if (
        isinstance(value, str)
        and re.fullmatch(r"[A-Za-z_][\w.]*( [\w.]+)*", value)
        and read_yaml(value) == value
    ):
        return value
    return json.dumps(value)
