"""Renders the models of one manifest, each as a first build and as a live run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jinja2 import Template, nodes

from backfill_safety.manifest import Manifest, Node

from .budget import Budget, BudgetError
from .clock import pinned
from .config import ConfigFacts, config_facts
from .errors import reason
from .macros import MacroIndex, Namespace, RealMacro
from .output import Output, assemble, insert_ctes
from .resolve import Resolver
from .sandbox import Sandbox
from .scope import ModelScope
from .tracer import Tracer
from .types import Branch, Hook, Mark, Ref, Rendering
from .values import ProjectError, Values
from .variables import Project, Variables, read_project
from .view import ManifestView
from .watchdog import watchdog

_KEPT_TEMPLATES = 256
"""Compiled models kept at once: enough that both branches of one are compiled once."""


class Renderer:
    """Renders models of a manifest under given vars. They share its macros, compiled when first called.

    Args:
        manifest: the manifest.
        vars: as with dbt's `--vars`; before those of the project.
        project: what dbt_project.yml says; by default the one beside the manifest's `target/`, if there is
        one.
    """

    def __init__(
        self,
        manifest: Manifest,
        vars: Mapping[str, Any] | None = None,  # noqa: A002
        project: Project | None = None,
    ) -> None:
        self.manifest = manifest
        self.given = dict(vars or {})
        self.project = _project_beside(manifest) if project is None else project
        self.sandbox = Sandbox()
        self.functions = Values(self.sandbox).functions()
        self.used: set[str] = set()
        self.macros = MacroIndex(manifest, self.sandbox, self.used, self.project.dispatch)
        self.view = ManifestView(manifest)
        self.resolver = Resolver(manifest, self._note_rendered)
        self.now = pinned(manifest.metadata.generated_at)
        self._namespaces: dict[str, Namespace] = {}
        self._templates: dict[str, tuple[Template, nodes.Template]] = {}
        self._facts: dict[str, ConfigFacts] = {}
        self._macro_trees: dict[str, nodes.Template] = {}
        self._scope: ModelScope | None = None

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
        facts = ConfigFacts()
        config: Mapping[str, Any] = node.config
        scope = None
        try:
            with watchdog():
                facts = self._config_facts(node)
                config = self._config(node, facts)
                scope = self._enter(node, branch, config)
                output, ephemeral = self._run(node, scope)
                refs = scope.refs_called()
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
            overridden=tuple(sorted(scope.overridden | self.macros.strategies)),
            substituted=tuple(sorted(scope.substituted)),
            relations={
                str(scope.this): node.unique_id,
                **{r.relation: r.unique_id for r in scope.refs_called()},
            },
            refs=refs,
            ephemeral=ephemeral,
            warnings=_warnings(tracer.marks(), scope),
        )

    def render_operation(self, node: Node) -> Hook:
        """Render an `on-run-start` or `on-run-end` hook."""
        self.sandbox.budget, self.sandbox.tracer = Budget(), Tracer()
        self._enter(node, "live", node.config)
        try:
            with watchdog():
                return self._hook(node.code, transaction=True)
        except BudgetError as error:
            return Hook(node.code, None, error=reason(error))

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
        """Ephemeral parents, those they read themselves first. Source: dbt-core,
        `_recursively_prepend_ctes`."""
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
                scope.refs.setdefault(key, Ref(ref.unique_id, ref.relation, ref.kind, inside=True))
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
        """The manifest's config, except for what hangs on vars that were given: that is evaluated as dbt
        would."""
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

    def _macro_tree(self, package: str | None, name: str) -> nodes.Template | None:
        scope = self._scope
        if scope is None:
            return None
        found = scope.namespace.from_package(package, name)
        if not isinstance(found, RealMacro):
            return None
        key = found.macro.unique_id
        if key not in self._macro_trees:
            tree = self.sandbox.parse(found.macro.macro_sql)
            self._macro_trees[key] = nodes.Template([c for m in tree.find_all(nodes.Macro) for c in m.body])
        return self._macro_trees[key]


def _project_beside(manifest: Manifest) -> Project:
    """The dbt_project.yml above the `target/` that the manifest lies in, or beside it, if it is its project's."""
    if manifest.path is None:
        return Project()
    folder = manifest.path.resolve().parent
    found = (read_project(f) for f in (folder.parent, folder))
    return next((p for p in found if p.found and p.name == manifest.project_name), Project())


def _warnings(marks: tuple[Mark, ...], scope: ModelScope) -> tuple[str, ...]:
    said = []
    if any(m.kind == "target" and m.name == "name" and m.tested for m in marks):
        said.append("the target is taken as production: its name is in the profile, not in the manifest")
    for name in sorted(scope.substituted):
        said.append(
            f"the manifest was parsed with another adapter and lacks {name}: a plain form of it stands in"
        )
    return tuple(sorted(said))
