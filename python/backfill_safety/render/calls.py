"""What a model's template calls in one rendering, and the record of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import GeneratorType
from typing import TYPE_CHECKING, Any

from jinja2 import Template

from backfill_safety.manifest import Column, Node, Source

from .macros import RealMacro
from .relation import Relation
from .sandbox import Scope
from .traced import Origin, PackageVar, Unknown, keep
from .types import Branch, Ref
from .values import ProjectError
from .variables import Variables

if TYPE_CHECKING:
    from .renderer import Renderer


class Calls(Scope):
    """dbt's functions for one node in one branch: `ref`, `source`, `var`, `run_query`, …"""

    def __init__(
        self,
        renderer: Renderer,
        node: Node,
        branch: Branch,
        config: Mapping[str, Any],
        variables: Variables,
        *,
        execute: bool = True,
    ) -> None:
        self.renderer = renderer
        self.node, self.branch, self.variables, self.execute = node, branch, variables, execute
        self.sandbox, self.tracer = renderer.sandbox, renderer.sandbox.tracer
        self.resolver = renderer.resolver
        self.adapter_name = renderer.manifest.adapter
        self.namespace = renderer.namespace(node.package_name)
        self.config = config
        self._results: dict[str, Unknown] = {}
        self._running: tuple[GeneratorType[Any, Any, Any], Template] | None = None
        self.refs: dict[tuple[str, str], Ref] = {}
        self.rendered: set[str] = set()
        self.ephemeral: dict[str, Node] = {}
        self.overridden: set[str] = set()
        self.substituted: set[str] = set()
        self.vars_read: dict[str, Any] = {}
        self.config_calls: dict[str, Any] = {}

    # -- where we are

    def running(self, chunks: Any, template: Template) -> None:
        self._running = (chunks, template)

    def current_line(self) -> int | None:
        """The line of the model's own text that is being rendered."""
        if self._running is None or self._running[0].gi_frame is None:
            return None
        return self._running[1].get_corresponding_lineno(self._running[0].gi_frame.f_lineno)

    def error_line(self, error: BaseException) -> int | None:
        """The line of the model's own text in which an error came up, None where it did not."""
        if self._running is None:
            return None
        chunks, template = self._running
        trace, line = error.__traceback__, None
        while trace is not None:
            if trace.tb_frame.f_code is chunks.gi_code:
                line = template.get_corresponding_lineno(trace.tb_lineno)
            trace = trace.tb_next
        return line

    @property
    def full_refresh(self) -> bool:
        return self.branch == "first" and self.execute

    # -- relations

    @property
    def this(self) -> Any:
        return None if self.node.resource_type == "operation" else self.resolver.relation(self.node)

    @property
    def existing(self) -> Relation:
        """The target as a live run finds it."""
        found: Relation = self.this
        return found

    def known_relations(self, identifier: str) -> Iterator[Relation]:
        for thing in self.renderer.view.by_identifier.get(identifier.lower(), ()):
            yield self.resolver.relation(thing)

    def refs_called(self) -> tuple[Ref, ...]:
        """The refs and sources so far, with those on which `.render()` was called told apart."""
        return tuple(replace(r, rendered=r.unique_id in self.rendered) for r in self.refs.values())

    def documented_columns(self, unique_id: str | None) -> list[Column]:
        """Columns as documented; those of its only parent for a model that is not documented itself."""
        manifest = self.renderer.manifest
        for _ in range(5):
            thing = manifest.get(unique_id) if unique_id else None
            if thing is None or thing.columns:
                break
            parents = manifest.parents(thing.unique_id)
            unique_id = parents[0] if len(parents) == 1 else None
        return list(thing.columns.values()) if thing else []

    def _called(self, thing: Node | Source, kind: Any) -> Relation:
        relation = self.resolver.relation(thing)
        key = (thing.unique_id, kind)
        if key not in self.refs:
            self.refs[key] = Ref(thing.unique_id, str(relation), kind, line=self.current_line())
        if relation.is_cte and isinstance(thing, Node):
            self.ephemeral.setdefault(thing.unique_id, thing)
        return relation

    def ref(self, *args: Any, version: Any = None, v: Any = None) -> Any:
        if any(isinstance(a, Unknown) for a in args):
            return next(a for a in args if isinstance(a, Unknown))
        if len(args) not in (1, 2):
            raise ProjectError(
                f"ref() takes a model's name, or a package and a name; it was given {len(args)} values"
            )
        package, name = (None, args[0]) if len(args) == 1 else (str(args[0]), args[1])
        node = self.resolver.ref(
            self.node.package_name, str(name), package, version if version is not None else v
        )
        return self._called(node, "ref")

    def source(self, *args: Any) -> Any:
        if any(isinstance(a, Unknown) for a in args):
            return next(a for a in args if isinstance(a, Unknown))
        if len(args) != 2:
            raise ProjectError(
                f"source() takes a source's name and a table's; it was given {len(args)} values"
            )
        return self._called(
            self.resolver.source(self.node.package_name, str(args[0]), str(args[1])), "source"
        )

    def function(self, *args: Any) -> Any:
        return self.resolver.relation(self.resolver.function(str(args[-1])))

    # -- values

    def var(self, name: Any, *default: Any, **named: Any) -> Any:
        given = default or tuple(named.values())
        if self.variables.has(str(name)):
            value = self.variables.get(str(name))
            if isinstance(value, str) and ("{{" in value or "{%" in value):
                value = self.render(value)
            self.sandbox.budget.measure(value)
        elif given:
            value = given[0]
        else:
            self.vars_read.setdefault(str(name), None)
            packaged = self.node.package_name != self.renderer.manifest.project_name
            return self.tracer.unknown("var", str(name), PackageVar if packaged else Unknown)
        self.vars_read[str(name)] = value
        return keep(value, Origin("var", str(name)))

    def env_var(self, name: Any, default: Any = None) -> Any:
        if default is None:
            return self.tracer.unknown("env_var", str(name))
        return keep(str(default), Origin("env_var", str(name)))

    def statement(self, name: Any = None, *_: Any, caller: Callable[[], Any] | None = None, **__: Any) -> str:
        query = self.tracer.unknown("query", str(caller() if caller else "").strip()[:2_000])
        if name is not None:
            self._results[str(name)] = query
        return ""

    def run_query(self, sql: Any = "", *_: Any, **__: Any) -> Unknown:
        return self.tracer.unknown("query", str(sql).strip()[:2_000])

    def load_result(self, name: Any, *_: Any) -> Any:
        found = self._results.get(str(name))
        return self.tracer.unknown("query", str(name)) if found is None else found

    def render(self, text: Any) -> Any:
        self.sandbox.budget.enter()
        self.sandbox.budget.step(200 + len(str(text)))  # compiling is dear
        template = self.sandbox.from_string(str(text))
        context = template.new_context({}, shared=True)
        chunks: Any = template.root_render_func(context)
        made = self.sandbox.captured(text for _, text in chunks)
        self.sandbox.budget.leave()
        return made

    def set_config(self, values: dict[str, Any]) -> None:
        self.config_calls.update(values)

    def dispatch(self, name: str, namespace: str | None) -> RealMacro | None:
        found, searched = self.renderer.macros.dispatch(self.namespace, name, namespace)
        if found is not None and not self.namespace.is_internal(found) and namespace == "dbt":
            self.overridden.add(name)
        self.substituted.update(searched)
        return found

    def adapter_macro(self, name: Any, *args: Any, **kwargs: Any) -> Any:
        package, _, plain = str(name).rpartition(".")
        found = self.dispatch(plain, package or None)
        if found is None:
            raise ProjectError(f"adapter_macro({str(name)!r}): the manifest holds no such macro")
        return found(*args, **kwargs)
