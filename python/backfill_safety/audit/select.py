"""Which models are meant, in dbt's own selection syntax.

Understood: names and globs, `package.name`, dotted folders, unique ids, `tag:`, `path:`, `package:`, `fqn:`,
`config.KEY:`, `resource_type:`, ancestors and descendants (`+orders`, `2+orders`, `orders+1`), union by
space, intersection by comma.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase

from backfill_safety.manifest import Manifest, Node, SelectionError

_TERM = re.compile(
    r"^(?P<up>(?P<up_steps>\d*)\+)?(?:(?P<method>[a-z_]+(?:\.[\w.-]+)?):)?(?P<value>[^+@:]+)(?P<down>\+(?P<down_steps>\d*))?$"
)
_WHOLE = 1 << 30


def select(
    manifest: Manifest, nodes: Iterable[Node], wanted: Iterable[str], unwanted: Iterable[str]
) -> list[Node]:
    """Those of `nodes` that `wanted` names (all, if it is empty) and `unwanted` does not, in their order.

    Raises SelectionError where an expression is not understood. One that matches nothing is no error.
    """
    candidates = list(nodes)
    chosen = _union(manifest, wanted)
    refused = _union(manifest, unwanted) or set()
    return [n for n in candidates if (chosen is None or n.unique_id in chosen) and n.unique_id not in refused]


def names_like(manifest: Manifest, expressions: Iterable[str]) -> str:
    """`; close: a, b` for the model names that come near to what matched nothing, else ``."""
    words = [word for text in expressions for word in text.split()]
    names = sorted({n.name for n in manifest.models})
    near = [name for word in words for name in get_close_matches(word, names, n=2)]
    return f"; close: {', '.join(dict.fromkeys(near))}" if near else ""


def _union(manifest: Manifest, expressions: Iterable[str]) -> set[str] | None:
    """Unique ids; None when there is no expression."""
    terms = [term for text in expressions for term in text.split()]
    if not terms:
        return None
    return set().union(*(_intersection(manifest, term) for term in terms))


def _intersection(manifest: Manifest, text: str) -> set[str]:
    found = [_term(manifest, term) for term in text.split(",") if term]
    return set.intersection(*found) if found else set()


def _term(manifest: Manifest, text: str) -> set[str]:
    parts = _TERM.match(text)
    if parts is None:
        raise SelectionError(
            f"the selector {text!r} cannot be read: write a name, tag:x, path:models/x or package:x"
        )
    matches = _method(parts["method"] or "fqn", parts["value"], text)
    found = {n.unique_id for n in manifest.nodes.values() if matches(n)}
    if parts["up"]:
        found |= _reached(found, manifest.parents, parts["up_steps"])
    if parts["down"]:
        found |= _reached(found, lambda i: manifest.children.get(i, []), parts["down_steps"])
    return found


def _reached(start: set[str], step: Callable[[str], list[str]], steps: str) -> set[str]:
    seen, edge = set(start), set(start)
    for _ in range(int(steps) if steps else _WHOLE):
        edge = {other for unique_id in edge for other in step(unique_id)} - seen
        if not edge:
            break
        seen |= edge
    return seen


def _method(method: str, value: str, text: str) -> Callable[[Node], bool]:
    if method == "fqn":
        return lambda n: (
            any(fnmatchcase(name, value) for name in _names(n)) or _below(list(n.fqn or ()), value)
        )
    if method == "tag":
        return lambda n: any(
            fnmatchcase(str(tag), value) for tag in [*n.tags, *_as_list(n.config.get("tags"))]
        )
    if method in ("path", "file"):
        return lambda n: in_path(n.original_file_path, value)
    if method == "package":
        return lambda n: fnmatchcase(n.package_name, value)
    if method == "resource_type":
        return lambda n: n.resource_type == value
    if method.startswith("config."):
        key = method.removeprefix("config.")
        return lambda n: value in map(_as_written, _as_list(_dig(n.config, key)))
    raise SelectionError(
        f"the selector {text!r} is of a kind that is not understood: "
        "use a name, tag:, path:, package:, fqn:, config.KEY: or resource_type:"
    )


def _names(node: Node) -> Iterator[str]:
    yield from (node.name, f"{node.package_name}.{node.name}", node.unique_id)
    if node.version is not None:
        yield from (f"{node.name}.v{node.version}", f"{node.name}_v{node.version}")


def _below(fqn: Sequence[str], value: str) -> bool:
    """Whether `value`, dotted, is the beginning of `fqn`, with or without its package."""
    wanted = value.split(".")
    return any(
        len(parts) >= len(wanted) and all(map(fnmatchcase, parts, wanted))
        for parts in (fqn[:-1], fqn[1:-1], fqn)
    )


def in_path(path: str, value: str) -> bool:
    """Whether a file is `value`, lies below it, or matches it as a glob."""
    path, value = path.replace("\\", "/"), value.replace("\\", "/").removeprefix("./").rstrip("/")
    return path == value or path.startswith(f"{value}/") or fnmatchcase(path, value)


def _dig(config: object, key: str) -> object:
    for part in key.split("."):
        config = config.get(part) if isinstance(config, dict) else None
    return config


def _as_list(value: object) -> list[object]:
    return list(value) if isinstance(value, (list, tuple)) else [] if value is None else [value]


def _as_written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
