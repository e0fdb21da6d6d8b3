"""The names that a model's template sees in one rendering, and what it did with them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from types import GeneratorType
from typing import TYPE_CHECKING, Any

from jinja2 import Template
from jinja2.runtime import missing

from backfill_safety.manifest import Column as ManifestColumn
from backfill_safety.manifest import Node, Source

from .adapter import Adapter
from .clock import on_the_clock
from .frozen import FrozenDict, FrozenList
from .macros import Package, RealMacro
from .modules import modules
from .relation import Relation
from .sandbox import Scope
from .settings import Config, Flags, Target
from .traced import Origin, PackageVar, Unknown, keep
from .types import Branch, Ref
from .values import Exceptions, ProjectError
from .variables import Variables

if TYPE_CHECKING:
    from .renderer import Renderer

_INTERCEPTED = frozenset({"statement", "run_query"})
"""dbt's own macros that talk to the warehouse; ours note the query instead."""


class ModelScope(Scope):
    """Names of one node, in one branch. Also the record of what was called."""

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
        self._renderer = renderer
        self.node, self.branch, self._variables, self.execute = node, branch, variables, execute
        self.sandbox, self.tracer = renderer.sandbox, renderer.sandbox.tracer
        self.resolver = renderer.resolver
        self.adapter_name = renderer.manifest.adapter
        self.namespace = renderer.namespace(node.package_name)
        self._config = config
        self._names: dict[str, Any] = {}
        self._results: dict[str, Unknown] = {}
        self._running: tuple[GeneratorType[Any, Any, Any], Template] | None = None
        self.refs: dict[tuple[str, str], Ref] = {}
        self.rendered: set[str] = set()
        self.ephemeral: dict[str, Node] = {}
        self.overridden: set[str] = set()
        self.substituted: set[str] = set()
        self.vars_read: dict[str, Any] = {}
        self.config_calls: dict[str, Any] = {}

    @cached_property
    def _frozen_config(self) -> FrozenDict:
        return self._renderer.frozen_config(self._config)

    # -- looking a name up: macros first, as in dbt, which lets a project replace `ref` or `is_incremental`

    def lookup(self, name: str) -> Any:
        found = self._names.get(name, missing)
        if found is missing:
            found = self._names[name] = self._find(name)
        return found

    def _find(self, name: str) -> Any:
        macro = self.namespace.get(name)
        if macro is not None:
            own = not self.namespace.is_internal(macro)
            if own and isinstance(macro, RealMacro) and (hasattr(self, f"get_{name}") or self.internal(name)):
                self.overridden.add(name)
            if own or name not in _INTERCEPTED:
                return macro
        return self.builtin(name)

    def builtin(self, name: str) -> Any:
        """dbt's own function or value of this name, whatever macros there are; `missing` where there is none."""
        maker = getattr(self, f"get_{name}", None)
        if maker is not None:
            return maker()
        return self._renderer.functions.get(name, missing)

    def internal(self, name: str) -> bool:
        return name in self._renderer.macros.internal

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
        for thing in self._renderer.by_identifier.get(identifier.lower(), ()):
            yield self.resolver.relation(thing)

    def documented_columns(self, unique_id: str | None) -> list[ManifestColumn]:
        """Columns as documented; those of its only parent for a model that is not documented itself."""
        manifest = self._renderer.manifest
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
        if self._variables.has(str(name)):
            value = self._variables.get(str(name))
            if isinstance(value, str) and ("{{" in value or "{%" in value):
                value = self.render(value)
            self.sandbox.budget.measure(value)
        elif given:
            value = given[0]
        else:
            self.vars_read.setdefault(str(name), None)
            packaged = self.node.package_name != self._renderer.manifest.project_name
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
        return self._results.get(str(name)) or self.tracer.unknown("query", str(name))

    def render(self, text: Any) -> Any:
        self.sandbox.budget.enter()
        template = self.sandbox.from_string(str(text))
        context = template.new_context({}, shared=True)
        made = self.sandbox.captured(chunk for _, chunk in template.root_render_func(context))  # type: ignore[attr-defined]
        self.sandbox.budget.leave()
        return made

    def set_config(self, values: dict[str, Any]) -> None:
        self.config_calls.update(values)

    def dispatch(self, name: str, namespace: str | None) -> RealMacro | None:
        found, searched = self._renderer.dispatch(self.namespace, name, namespace)
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

    # -- what is made when it is first asked for; `get_x` gives the value of the name x

    def get_this(self) -> Any:
        return self.this

    def get_ref(self) -> Any:
        return self.ref

    def get_source(self) -> Any:
        return self.source

    def get_function(self) -> Any:
        return self.function

    def get_var(self) -> Any:
        return _Var(self)

    def get_env_var(self) -> Any:
        return self.env_var

    def get_config(self) -> Config:
        return Config(self, self._frozen_config)

    def get_is_incremental(self) -> Any:
        config = self._frozen_config
        live = self.execute and self.branch == "live" and config.get("materialized") == "incremental"
        return lambda: live and not config.get("full_refresh")

    def get_model(self) -> FrozenDict:
        return self._renderer.model_view(self.node, self._frozen_config, self.tracer)

    def get_adapter(self) -> Adapter:
        return Adapter(self)

    def get_api(self) -> FrozenDict:
        adapter = Adapter(self)
        return FrozenDict(Relation=adapter.Relation, Column=adapter.Column)

    def get_column(self) -> Any:
        return Adapter(self).Column

    def get_target(self) -> Target:
        return Target(self.tracer, self.adapter_name, self._renderer.target)

    get_env = get_target

    def get_flags(self) -> Flags:
        return Flags(self)

    def get_execute(self) -> bool:
        return self.execute

    def get_statement(self) -> Any:
        return self.statement

    def get_run_query(self) -> Any:
        return self.run_query

    def get_load_result(self) -> Any:
        return self.load_result

    def get_render(self) -> Any:
        return self.render

    def get_adapter_macro(self) -> Any:
        return self.adapter_macro

    def get_graph(self) -> FrozenDict:
        return self._renderer.graph

    def get_modules(self) -> FrozenDict:
        return modules(self.sandbox, self._renderer.now)

    def get_run_started_at(self) -> Any:
        return on_the_clock(self._renderer.now)

    def get_invocation_id(self) -> Any:
        known = self._renderer.manifest.metadata.invocation_id
        return keep(known or "00000000-0000-0000-0000-000000000000", Origin("other", "invocation_id"))

    def get_exceptions(self) -> Exceptions:
        return Exceptions()

    def get_builtins(self) -> Builtins:
        return Builtins(self)

    def get_context(self) -> Names:
        return Names(self)

    def get_database(self) -> Any:
        return self.node.database

    def get_schema(self) -> Any:
        return self.node.schema_

    def get_project_name(self) -> str:
        return self._renderer.manifest.project_name

    def get_dbt_version(self) -> str:
        return self._renderer.manifest.metadata.dbt_version

    def get_selected_resources(self) -> FrozenList:
        return FrozenList([self.node.unique_id])

    def get_pre_hooks(self) -> Any:
        return self._frozen_config.get("pre-hook") or FrozenList()

    def get_post_hooks(self) -> Any:
        return self._frozen_config.get("post-hook") or FrozenList()

    def _of_the_run(self) -> Unknown:
        return self.tracer.unknown("result", "what only the run itself knows")

    get_results = get_schemas = get_database_schemas = get_sql = get_compiled_code = _of_the_run
    get_store_result = get_store_raw_result = get_load_agate_table = get_submit_python_job = _of_the_run
    get_write = get_metric = get_doc = get_validation = get_sql_now = _of_the_run
    get_invocation_args_dict = get_dbt_metadata_envs = get_thread_id = _of_the_run

    @property
    def now(self) -> dt.datetime:
        return self._renderer.now


class _Var:
    """`var`: a function with `has_var`."""

    def __init__(self, scope: ModelScope) -> None:
        self._scope = scope

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._scope.var(*args, **kwargs)

    def has_var(self, name: Any) -> bool:
        return self._scope._variables.has(str(name))


class Builtins:
    """`builtins`: dbt's own functions, which a project's `ref` calls when it replaces `ref`."""

    def __init__(self, scope: ModelScope) -> None:
        self._scope = scope

    def __getattr__(self, name: str) -> Any:
        found = missing if name.startswith("_") else self._scope.builtin(name)
        if found is missing:
            raise AttributeError(name)
        return found

    def __getitem__(self, name: str) -> Any:
        found = self._scope.builtin(str(name))
        if found is missing:
            raise KeyError(name)
        return found

    def get(self, name: str, default: Any = None) -> Any:
        found = self._scope.builtin(str(name))
        return default if found is missing else found


class Names:
    """`context`: all names as a mapping."""

    def __init__(self, scope: ModelScope) -> None:
        self._scope = scope

    def __getitem__(self, name: str) -> Any:
        found = self._scope.lookup(str(name))
        if found is missing:
            raise KeyError(name)
        return found

    def __contains__(self, name: str) -> bool:
        return self._scope.lookup(str(name)) is not missing

    def get(self, name: str, default: Any = None) -> Any:
        found = self._scope.lookup(str(name))
        return default if found is missing else found

    def update(self, values: Mapping[str, Any]) -> None:
        self._scope._names.update({str(k): v for k, v in values.items()})


__all__ = ["ModelScope", "Package"]
