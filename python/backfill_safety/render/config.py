"""What the keys of a model's `config()` hang on, read from the template without running it.

dbt evaluates `config()` when it parses a project: `is_incremental()` is false there and the clock is that
of the parse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from jinja2 import nodes

from .types import ConfigSource

Sources = frozenset[ConfigSource]

_NAMES: dict[str, ConfigSource] = {
    "execute": "run",
    "flags": "run",
    "this": "run",
    "is_incremental": "run",
    "should_full_refresh": "run",
    "invocation_id": "run",
    "run_started_at": "clock",
    "target": "target",
    "var": "var",
    "env_var": "env_var",
    "run_query": "query",
    "load_result": "query",
}
_CLOCK_METHODS = frozenset({"now", "utcnow", "today"})

MacroText = Callable[[str | None, str], "nodes.Template | None"]
"""Package (or None) and name → the parsed text of the macro."""


@dataclass
class ConfigFacts:
    line: int | None = None
    sources: dict[str, Sources] = field(default_factory=dict)


def config_facts(tree: nodes.Template, macro: MacroText) -> ConfigFacts:
    """Where `config()` is called, and for each key on what its value hangs. Keys with plain values are left
    out."""
    facts = ConfigFacts()
    reader = _Reader(macro)
    for call, tests in _calls(tree.body, ()):
        facts.line = facts.line or call.lineno
        pairs: list[tuple[str, nodes.Node]] = [(k.key, k.value) for k in call.kwargs]
        for arg in call.args:
            if isinstance(arg, nodes.Dict):
                pairs += [(p.key.value, p.value) for p in arg.items if isinstance(p.key, nodes.Const)]
        around: Sources = frozenset().union(*(reader.of(test, tree) for test in tests))
        for key, value in pairs:
            found = around | reader.of(value, tree)
            if found:
                facts.sources[str(key)] = facts.sources.get(str(key), frozenset()) | found
    return facts


def _calls(
    body: list[nodes.Node], tests: tuple[nodes.Node, ...]
) -> Iterator[tuple[nodes.Call, tuple[nodes.Node, ...]]]:
    """Calls of `config` at the top of a template, with the conditions they stand under."""
    for node in body:
        if isinstance(node, nodes.If):
            inside = (*tests, node.test)
            yield from _calls(node.body, inside)
            for branch in (*node.elif_,):
                yield from _calls(branch.body, (*inside, branch.test))
            yield from _calls(node.else_, inside)
        elif isinstance(node, nodes.Output):
            for child in node.nodes:
                if _is_config(child):
                    yield child, tests  # type: ignore[misc]
        elif isinstance(node, nodes.ExprStmt) and _is_config(node.node):
            yield node.node, tests  # type: ignore[misc]


def _is_config(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name == "config"


class _Reader:
    """Follows an expression through `set` and macros to the names it reads."""

    def __init__(self, macro: MacroText) -> None:
        self._macro = macro
        self._macros: dict[tuple[str | None, str], Sources] = {}
        self._sets: dict[int, dict[str, list[nodes.Node]]] = {}

    def of(self, expression: nodes.Node, tree: nodes.Template, seen: frozenset[str] = frozenset()) -> Sources:
        if isinstance(expression, nodes.Const):
            return frozenset()
        found: set[ConfigSource] = set()
        for node in _walk(expression):
            if isinstance(node, nodes.Name):
                found |= self._name(node.name, tree, seen)
            elif isinstance(node, nodes.Getattr) and node.attr in _CLOCK_METHODS:
                found.add("clock")
            elif isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name):
                found |= self._in_macro(node.node.name, node.attr)
        return frozenset(found)

    def _name(self, name: str, tree: nodes.Template, seen: frozenset[str]) -> Sources:
        sets = self._sets_of(tree)
        if name in sets:
            if name in seen:
                return frozenset()
            parts = [self.of(value, tree, seen | {name}) for value in sets[name]]
            return frozenset().union(*parts)
        if name in _NAMES:
            return frozenset({_NAMES[name]})
        return self._in_macro(None, name)

    def _sets_of(self, tree: nodes.Template) -> dict[str, list[nodes.Node]]:
        """`{% set x = … %}` → the values that x may take, and the conditions under which."""
        found = self._sets.get(id(tree))
        if found is None:
            found = self._sets[id(tree)] = {}
            _note_sets(tree.body, [], found)
        return found

    def _in_macro(self, package: str | None, name: str) -> Sources:
        key = (package, name)
        if key not in self._macros:
            self._macros[key] = frozenset()  # a macro that calls itself adds nothing
            tree = self._macro(package, name)
            if tree is not None:
                parts = [self.of(child, tree) for child in tree.body]
                self._macros[key] = frozenset().union(*parts)
        return self._macros[key]


_FILLS = frozenset({"append", "extend", "insert", "update", "setdefault"})


def _filled(node: nodes.ExprStmt | nodes.Output) -> Iterator[tuple[str, list[nodes.Node]]]:
    """`{% do parts.append(x) %}` → the name of what is filled, and what with."""
    for child in [node.node] if isinstance(node, nodes.ExprStmt) else node.nodes:
        if (
            isinstance(child, nodes.Call)
            and isinstance(child.node, nodes.Getattr)
            and child.node.attr in _FILLS
            and isinstance(child.node.node, nodes.Name)
        ):
            yield child.node.node.name, [*child.args, *(k.value for k in child.kwargs)]


def _note_sets(body: list[nodes.Node], tests: list[nodes.Node], found: dict[str, list[nodes.Node]]) -> None:
    for node in body:
        if isinstance(node, (nodes.Assign, nodes.AssignBlock)):
            values = [node.node] if isinstance(node, nodes.Assign) else list(node.body)
            for target in node.target.items if isinstance(node.target, nodes.Tuple) else [node.target]:
                if isinstance(target, (nodes.Name, nodes.NSRef)):
                    found.setdefault(target.name, []).extend([*values, *tests])
        elif isinstance(node, (nodes.ExprStmt, nodes.Output)):
            for name, given in _filled(node):
                found.setdefault(name, []).extend([*given, *tests])
        elif isinstance(node, nodes.If):
            inside = [*tests, node.test]
            for branch in (node, *node.elif_):
                _note_sets(branch.body, inside, found)
            _note_sets(node.else_, inside, found)
        elif isinstance(node, nodes.For):
            _note_sets(node.body, [*tests, node.iter], found)


def _walk(node: nodes.Node) -> Iterator[nodes.Node]:
    yield node
    for child in node.iter_child_nodes():
        yield from _walk(child)
