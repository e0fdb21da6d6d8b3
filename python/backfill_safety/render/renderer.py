"""Renders the models of one manifest, each as a first build and as a live run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Template, nodes

from backfill_safety.manifest import Manifest, Node, Source

from .budget import Budget
from .clock import pinned
from .config import ConfigFacts, config_facts
from .errors import reason
from .frozen import FrozenDict, FrozenView, freeze
from .macros import MacroIndex, Namespace, RealMacro
from .output import Output, assemble, insert_ctes
from .resolve import Resolver
from .sandbox import Sandbox
from .scope import ModelScope
from .tracer import Tracer
from .types import Branch, Hook, Mark, Ref, Rendering
from .values import ProjectError, Values
from .variables import Project, Variables, read_project
from .watchdog import watchdog

_KEPT_TEMPLATES = 256
"""Compiled models kept at once: enough that both branches of one are compiled once."""


class Renderer:
    """Renders models of a manifest under given vars. Macros are compiled when first called and shared by all models.

    Args:
        manifest: the manifest.
        vars: as with dbt's `--vars`; before those of the project.
        project: what dbt_project.yml says; by default the one beside the manifest's `target/`, if there is one.
    """

    def __init__(
        self,
        manifest: Manifest,
        vars: Mapping[str, Any] | None = None,
        project: Project | None = None,  # noqa: A002
    ) -> None:
        self.manifest = manifest
        self.given = dict(vars or {})
        self.project = read_project(_project_root(manifest)) if project is None else project
        self.sandbox = Sandbox()
        self.functions = Values(self.sandbox).functions()
        self.used: set[str] = set()
        self.macros = MacroIndex(manifest, self.sandbox, self.used)
        self.resolver = Resolver(manifest, self._note_rendered)
        self.now = pinned(manifest.metadata.generated_at)
        self._namespaces: dict[str, Namespace] = {}
        self._dispatched: dict[tuple[int, str, str | None], tuple[RealMacro | None, frozenset[str]]] = {}
        self._templates: dict[str, tuple[Template, nodes.Template]] = {}
        self._facts: dict[str, ConfigFacts] = {}
        self._scope: ModelScope | None = None
        self._config_kept: tuple[Mapping[str, Any], FrozenDict] | None = None

    # -- the one thing that is done with it

    def render(self, node: Node, branch: Branch) -> Rendering:
        """Render a model. Whatever goes wrong is in `Rendering.error`; nothing is raised."""
        if node.is_python:
            return Rendering(
                unique_id=node.unique_id, branch=branch, error="is a Python model", config=node.config
            )
        if not node.code.strip():
            return Rendering(unique_id=node.unique_id, branch=branch, error="has no code", config=node.config)
        self.sandbox.budget, self.sandbox.tracer = Budget(), Tracer()
        self.used.clear()
        facts, config = ConfigFacts(), node.config
        scope = None
        try:
            with watchdog():
                facts = self._config_facts(node)
                config = self._config(node, facts)
                scope = self._enter(node, branch, config)
                output, ephemeral = self._run(node, scope)
                hooks = {when: self._hooks(config, when) for when in ("pre", "post")}
                header = self._header(scope, config)
        except Exception as error:  # a template is a stranger's text and can raise anything
            line = scope.error_line(error) if scope else getattr(error, "lineno", None)
            return Rendering(
                unique_id=node.unique_id,
                branch=branch,
                error=reason(error),
                error_line=line,
                adapter=self.manifest.adapter,
                config=config,
                config_sources=facts.sources,
                config_line=facts.line,
                marks=self.sandbox.tracer.marks(),
                macros=tuple(sorted(self.used)),
            )
        tracer = self.sandbox.tracer
        refs = [
            Ref(r.unique_id, r.relation, r.kind, r.unique_id in scope.rendered, r.line)
            for r in scope.refs.values()
        ]
        return Rendering(
            unique_id=node.unique_id,
            branch=branch,
            sql=output.sql,
            marked=output.marked,
            lines=tuple(output.lines),
            adapter=self.manifest.adapter,
            this=str(scope.this),
            config=config,
            config_sources=facts.sources,
            config_line=facts.line,
            sql_header=header,
            pre_hooks=hooks["pre"],
            post_hooks=hooks["post"],
            marks=tracer.marks(),
            vars_read=dict(scope.vars_read),
            macros=tuple(sorted(self.used)),
            overridden=tuple(sorted(scope.overridden | self._strategy_overrides)),
            substituted=tuple(sorted(scope.substituted)),
            relations={str(scope.this): node.unique_id, **{r.relation: r.unique_id for r in refs}},
            refs=tuple(refs),
            ephemeral=ephemeral,
            warnings=_warnings(tracer.marks(), scope),
        )

    def render_operation(self, node: Node) -> Hook:
        """Render an `on-run-start` or `on-run-end` hook."""
        self.sandbox.budget, self.sandbox.tracer = Budget(), Tracer()
        self._enter(node, "live", node.config)
        return self._hook(node.code, transaction=True)

    # -- steps of it

    def _enter(
        self, node: Node, branch: Branch, config: Mapping[str, Any], *, execute: bool = True
    ) -> ModelScope:
        variables = Variables(self.project, self.given, node.package_name)
        scope = ModelScope(self, node, branch, config, variables, execute=execute)
        self.sandbox.scope = self._scope = scope
        return scope

    def _run(self, node: Node, scope: ModelScope) -> tuple[Output, tuple[str, ...]]:
        """The model's SQL, its ephemeral parents before it."""
        output = self._output(node, scope)
        ctes: dict[str, tuple[str, Output]] = {}
        self._collect_ctes(scope, ctes, (node.unique_id,))
        self.sandbox.scope = self._scope = scope
        return insert_ctes(output, list(ctes.values())), tuple(ctes)

    def _output(self, node: Node, scope: ModelScope) -> Output:
        template, _ = self._template(node.code)
        chunks = template.root_render_func(template.new_context({}, shared=True))
        scope.running(chunks, template)
        return assemble(chunks, self.sandbox.tracer)  # type: ignore[arg-type]

    def _collect_ctes(
        self, scope: ModelScope, ctes: dict[str, tuple[str, Output]], path: tuple[str, ...]
    ) -> None:
        """Ephemeral parents, those they read themselves first. Source: dbt-core, `_recursively_prepend_ctes`."""
        for unique_id, parent in scope.ephemeral.items():
            if unique_id in path:
                raise ProjectError(f"ephemeral models read each other in a circle: {parent.name}")
            if unique_id in ctes:
                continue
            inner = self._enter(parent, scope.branch, parent.config)
            output = self._output(parent, inner)
            self._collect_ctes(inner, ctes, (*path, unique_id))
            ctes[unique_id] = (str(self.resolver.relation(parent)), output)
            for key, ref in inner.refs.items():
                scope.refs.setdefault(key, Ref(ref.unique_id, ref.relation, ref.kind))
            scope.rendered |= inner.rendered
            scope.overridden |= inner.overridden
            scope.substituted |= inner.substituted
            scope.vars_read.update(inner.vars_read)

    def _template(self, source: str) -> tuple[Template, nodes.Template]:
        found = self._templates.get(source)
        if found is None:
            tree = self.sandbox.parse(source)
            facts = config_facts(tree, self._macro_tree)  # before code is generated, which adds to the tree
            template = Template.from_code(self.sandbox, self.sandbox.compile(tree), {}, None)
            if len(self._templates) >= _KEPT_TEMPLATES:
                self._templates.pop(next(iter(self._templates)))
            found = self._templates[source] = (template, tree)
            self._facts[source] = facts
        return found

    def _config_facts(self, node: Node) -> ConfigFacts:
        self._enter(node, "first", node.config)
        self._template(node.code)
        return self._facts[node.code]

    def _config(self, node: Node, facts: ConfigFacts) -> Mapping[str, Any]:
        """The manifest's config, except for what hangs on vars that were given: that is evaluated as dbt would."""
        hung = {key for key, sources in facts.sources.items() if "var" in sources} if self.given else set()
        if not hung:
            return node.config
        scope = self._enter(node, "first", node.config, execute=False)
        self._output(node, scope)
        changed = {key: scope.config_calls[key] for key in hung if key in scope.config_calls}
        return {**node.config, **changed}

    def _header(self, scope: ModelScope, config: Mapping[str, Any]) -> str | None:
        header = scope.config_calls.get("sql_header", config.get("sql_header"))
        return str(header) if header else None

    def _hooks(self, config: Mapping[str, Any], when: str) -> tuple[Hook, ...]:
        found = config.get(f"{when}-hook") or config.get(f"{when}_hook") or []
        hooks = []
        for hook in found if isinstance(found, list) else [found]:
            text = hook.get("sql") if isinstance(hook, Mapping) else hook
            if isinstance(text, str):
                transaction = not isinstance(hook, Mapping) or hook.get("transaction") is not False
                hooks.append(self._hook(text, transaction))
        return tuple(hooks)

    def _hook(self, text: str, transaction: bool) -> Hook:
        try:
            template, _ = self._template(text)
            chunks = template.root_render_func(template.new_context({}, shared=True))
            output = assemble(chunks, self.sandbox.tracer)  # type: ignore[arg-type]
        except (
            Exception
        ) as error:  # as above: a hook that cannot be rendered is reported, and the model judged
            return Hook(text, None, transaction, reason(error))
        lowered = output.marked.lower()
        marks = tuple(m for m in self.sandbox.tracer.marks() if m.text in lowered)
        return Hook(text, output.sql.strip(), transaction, marks=marks)

    def _note_rendered(self, unique_id: str) -> None:
        if self._scope is not None:
            self._scope.rendered.add(unique_id)

    # -- what scopes ask for

    def namespace(self, package: str) -> Namespace:
        found = self._namespaces.get(package)
        if found is None:
            found = self._namespaces[package] = self.macros.namespace(package)
        return found

    def dispatch(
        self, namespace: Namespace, name: str, package: str | None
    ) -> tuple[RealMacro | None, frozenset[str]]:
        """The adapter's form of a macro, and the names of forms that the manifest lacks and should hold."""
        key = (id(namespace), name, package)
        if key not in self._dispatched:
            self._dispatched[key] = self._dispatch(namespace, name, package)
        return self._dispatched[key]

    def _dispatch(
        self, namespace: Namespace, name: str, package: str | None
    ) -> tuple[RealMacro | None, frozenset[str]]:
        order = self.project.dispatch.get(package or "") or (
            [self.macros.root, package] if package else [None]
        )
        for searched in order:
            for prefix in (*self.macros.adapters, "default"):
                found = namespace.from_package(searched, f"{prefix}__{name}")
                if found is not None:
                    return found, self._lacking(namespace, name, prefix)
        return None, frozenset()

    def _lacking(self, namespace: Namespace, name: str, prefix: str) -> frozenset[str]:
        """Read as another adapter's, a manifest shows that a macro differs by adapter, and not how for this one."""
        parsed_with = self.macros.parsed_with
        if prefix != "default" or not parsed_with or parsed_with == self.manifest.adapter:
            return frozenset()
        differs = namespace.from_package("dbt", f"{parsed_with}__{name}") is not None
        return frozenset({f"{self.manifest.adapter}__{name}"}) if differs else frozenset()

    def _macro_tree(self, package: str | None, name: str) -> nodes.Template | None:
        scope = self._scope
        if scope is None:
            return None
        if package is None:
            found = scope.namespace.get(name)
        else:
            found = scope.namespace.from_package(package, name)
        if not isinstance(found, RealMacro):
            return None
        tree = self.sandbox.parse(found.macro.macro_sql)
        return nodes.Template([child for macro in tree.find_all(nodes.Macro) for child in macro.body])

    @cached_property
    def by_identifier(self) -> dict[str, list[Node | Source]]:
        found: dict[str, list[Node | Source]] = {}
        for thing in (*self.manifest.nodes.values(), *self.manifest.sources.values()):
            name = thing.alias if isinstance(thing, Node) else thing.identifier
            if getattr(thing, "materialized", "") != "ephemeral":
                found.setdefault((name or thing.name).lower(), []).append(thing)
        return found

    @cached_property
    def target(self) -> dict[str, Any]:
        """What the nodes show of the profile: database and schema of models that configure neither."""
        known: dict[str, Any] = {}
        for node in self.manifest.models:
            if not node.config.get("schema") and node.schema_:
                known.setdefault("schema", node.schema_)
            if not node.config.get("database") and node.database:
                known.setdefault("database", node.database)
        for name, of in (("dbname", "database"), ("project", "database"), ("dataset", "schema")):
            if of in known:
                known[name] = known[of]
        return known

    @cached_property
    def graph(self) -> FrozenDict:
        """`graph`, from the nodes and sources that were read."""
        return FrozenDict(
            nodes=FrozenDict({k: freeze(msgspec.to_builtins(n)) for k, n in self.manifest.nodes.items()}),
            sources=FrozenDict({k: freeze(msgspec.to_builtins(s)) for k, s in self.manifest.sources.items()}),
            exposures=FrozenDict(),
            metrics=FrozenDict(),
            groups=FrozenDict(),
        )

    def frozen_config(self, config: Mapping[str, Any]) -> FrozenDict:
        """A config that templates cannot change; kept for the other branch of the same model."""
        if self._config_kept is None or self._config_kept[0] is not config:
            self._config_kept = (config, freeze(dict(config)))
        return self._config_kept[1]

    def model_view(self, node: Node, config: FrozenDict, tracer: Tracer) -> FrozenDict:
        """`model`: the node as a mapping."""
        batch = None
        if config.get("incremental_strategy") == "microbatch":
            batch = {
                key: tracer.unknown("batch", key) for key in ("id", "event_time_start", "event_time_end")
            }
        return FrozenView(
            (*_FIELDS, "batch"),
            lambda key: config if key == "config" else batch if key == "batch" else _field(node, key),
        )

    @cached_property
    def _strategy_overrides(self) -> frozenset[str]:
        """dbt's and the adapter's macros that write an incremental model, where the project has its own."""
        wanted = re.compile(
            r"^(\w+__)?get_(incremental_\w+|merge|delete_insert_merge|insert_overwrite_merge|insert_into)_sql$"
        )
        materialization = re.compile(r"^materialization_incremental_\w+$")
        root = self.macros.others.get(self.macros.root, {})
        return frozenset(
            n for n in root if (wanted.match(n) and n in self.macros.internal) or materialization.match(n)
        )


_FIELDS = {field.encode_name: field.name for field in msgspec.structs.fields(Node)}
"""Key in the manifest → attribute."""


def _field(node: Node, key: str) -> Any:
    return msgspec.to_builtins(getattr(node, _FIELDS[key]))


def _project_root(manifest: Manifest) -> Path | None:
    """The folder of dbt_project.yml: beside the manifest, or above the `target/` that it lies in."""
    if manifest.path is None:
        return None
    folder = manifest.path.resolve().parent
    return next((f for f in (folder.parent, folder) if (f / "dbt_project.yml").is_file()), None)


def _warnings(marks: tuple[Mark, ...], scope: ModelScope) -> tuple[str, ...]:
    said = []
    if any(m.kind == "target" and m.name == "name" and m.tested for m in marks):
        said.append("the target is taken as production: its name is in the profile, not in the manifest")
    for name in sorted(scope.substituted):
        said.append(
            f"the manifest was parsed with another adapter and lacks {name}: dbt's default form stands in"
        )
    return tuple(sorted(said))
