"""The names that a model's template sees in one rendering."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from jinja2.utils import missing

from .adapter import Adapter
from .calls import Calls
from .clock import on_the_clock
from .frozen import FrozenDict, FrozenList
from .macros import RealMacro
from .modules import modules
from .names import Builtins, Names, Var
from .settings import Config, Flags, Target
from .traced import Origin, Unknown, keep
from .values import Exceptions

_INTERCEPTED = frozenset({"statement", "run_query"})
"""dbt's own macros that talk to the warehouse; ours note the query instead."""


class ModelScope(Calls):
    """Names of one node, in one branch. A method `get_x` makes the value of the name x."""

    @cached_property
    def _known(self) -> dict[str, Any]:
        return {}

    @cached_property
    def frozen_config(self) -> FrozenDict:
        return self.renderer.view.config(self.config)

    # -- looking a name up: macros first, as in dbt, so that a project can replace `ref` or `is_incremental`

    def lookup(self, name: str) -> Any:
        found = self._known.get(name, missing)
        if found is missing:
            found = self._known[name] = self._find(name)
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
        """dbt's own function or value of this name, whatever macros there are; `missing` where there is
        none."""
        maker = getattr(self, f"get_{name}", None)
        if maker is not None:
            return maker()
        return self.renderer.functions.get(name, missing)

    def internal(self, name: str) -> bool:
        return name in self.renderer.macros.internal

    def set(self, values: Mapping[str, Any]) -> None:
        """Names that a template puts into `context`."""
        self._known.update({str(k): v for k, v in values.items()})

    def get_this(self) -> Any:
        return self.this

    def get_ref(self) -> Any:
        return self.ref

    def get_source(self) -> Any:
        return self.source

    def get_function(self) -> Any:
        return self.function

    def get_var(self) -> Any:
        return Var(self)

    def get_env_var(self) -> Any:
        return self.env_var

    def get_config(self) -> Config:
        return Config(self, self.frozen_config)

    def get_is_incremental(self) -> Any:
        config = self.frozen_config
        live = self.execute and self.branch == "live" and config.get("materialized") == "incremental"
        return lambda: live and not config.get("full_refresh")

    def get_model(self) -> FrozenDict:
        return self.renderer.view.model(self.node, self.frozen_config, self.tracer)

    def get_adapter(self) -> Adapter:
        return Adapter(self)

    def get_api(self) -> FrozenDict:
        adapter = Adapter(self)
        return FrozenDict(Relation=adapter.Relation, Column=adapter.Column)

    def get_column(self) -> Any:
        return Adapter(self).Column

    def get_target(self) -> Target:
        return Target(self.tracer, self.adapter_name, self.renderer.view.target)

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
        return self.renderer.view.graph

    def get_modules(self) -> FrozenDict:
        return modules(self.sandbox, self.renderer.now)

    def get_run_started_at(self) -> Any:
        return on_the_clock(self.renderer.now)

    def get_invocation_id(self) -> Any:
        known = self.renderer.manifest.metadata.invocation_id
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
        return self.renderer.manifest.project_name

    def get_dbt_version(self) -> str:
        return self.renderer.manifest.metadata.dbt_version

    def get_selected_resources(self) -> FrozenList:
        return FrozenList([self.node.unique_id])

    def get_pre_hooks(self) -> Any:
        return self.frozen_config.get("pre-hook") or FrozenList()

    def get_post_hooks(self) -> Any:
        return self.frozen_config.get("post-hook") or FrozenList()

    def _of_the_run(self) -> Unknown:
        return self.tracer.unknown("result", "what only the run itself knows")

    get_results = get_schemas = get_database_schemas = get_sql = get_compiled_code = _of_the_run
    get_store_result = get_store_raw_result = get_load_agate_table = get_submit_python_job = _of_the_run
    get_write = get_metric = get_doc = get_validation = get_sql_now = _of_the_run
    get_invocation_args_dict = get_dbt_metadata_envs = get_thread_id = _of_the_run
