{#- What `is_incremental`, `flags`, `config`, `var` and `statement` answer while a model is rendered in the operation. -#}
{% macro _true() %}
    {%- do return(true) -%}
{% endmacro %}


{% macro _false() %}
    {%- do return(false) -%}
{% endmacro %}


{#- dbt's flags as a run of the model has them. What the project's macros ask, or dbt's own `is_incremental` where it is called
    by its package, so sees a full refresh or a live run as well. They cannot be listed, so what is known of them is copied. -#}
{% macro _flags(branch) %}
    {%- set known = {'FULL_REFRESH': branch != 'live', 'WHICH': 'run'} -%}
    {%- for name in ['EMPTY', 'STORE_FAILURES', 'INTROSPECT', 'FAIL_FAST', 'WARN_ERROR', 'WARN_ERROR_OPTIONS', 'DEBUG', 'QUIET', 'NO_PRINT',
        'WRITE_JSON', 'PARTIAL_PARSE', 'STATIC_PARSER', 'USE_EXPERIMENTAL_PARSER', 'USE_COLORS', 'VERSION_CHECK', 'PRINTER_WIDTH',
        'LOG_FORMAT', 'LOG_CACHE_EVENTS', 'CACHE_SELECTED_ONLY', 'INDIRECT_SELECTION', 'SEND_ANONYMOUS_USAGE_STATS', 'PROFILES_DIR',
        'TARGET_PATH', 'LOG_PATH', 'INVOCATION_COMMAND'] if flags[name] is defined -%}
        {%- do known.update({name: flags[name]}) -%}
    {%- endfor -%}
    {%- do return(namespace(known)) -%}
{% endmacro %}


{% macro _config_call() %}
    {%- set _ = [varargs, kwargs] -%}
    {%- do return('') -%}
{% endmacro %}


{#- A setting that dbt knows and nobody has set is none, and not the default. -#}
{% macro _config_get(name, default=none, validator=none) %}
    {%- do return(context['backfill_safety_render'].node.config.get(name, default)) -%}
{% endmacro %}


{% macro _config_require(name, validator=none) %}
    {%- set node = context['backfill_safety_render'].node -%}
    {%- if name not in node.config -%}
        {%- do backfill_safety._refuse(node.name ~ " requires the config '" ~ name ~ "', which it does not set") -%}
    {%- endif -%}
    {%- do return(node.config[name]) -%}
{% endmacro %}


{% macro _config_meta_get(name, default=none, validator=none) %}
    {%- do return((context['backfill_safety_render'].node.config.get('meta') or {}).get(name, default)) -%}
{% endmacro %}


{#- Only `set_sql_header` sets a config at run time. -#}
{% macro _config_set(name, value) %}
    {%- if name == 'sql_header' -%}
        {%- do context['backfill_safety_render'].notes.update({'header': value}) -%}
    {%- endif -%}
    {%- do return('') -%}
{% endmacro %}


{#- `var` as the model sees it: overrides of this unit, the command line, its package's scope, the root project's. -#}
{% macro _var(name, default=none) %}
    {%- set state = context['backfill_safety_render'] -%}
    {%- set known = backfill_safety._vars_of(state.node, state) -%}
    {%- if name in known -%}
        {%- set value = known[name] -%}
    {%- elif default is none and not varargs and 'default' not in kwargs and not backfill_safety._var_has_default(name, state.node) -%}
        {%- do backfill_safety._refuse(
            state.node.name ~ " needs the var '" ~ name ~ "'; give it with --vars, or per unit with vars: {" ~ name ~ ': "{start}"}'
        ) -%}
    {%- else -%}
        {%- set value = default -%}
    {%- endif -%}
    {%- do state['vars'].update({name: value}) -%}
    {%- do return(value) -%}
{% endmacro %}


{#- A macro cannot tell `var('x')` from `var('x', none)`; the model's text can. -#}
{% macro _var_has_default(name, node) %}
    {%- do return(modules.re.search('var\\(\\s*[\'"]' ~ modules.re.escape(name) ~ '[\'"]\\s*,', node.raw_code) is not none) -%}
{% endmacro %}


{% macro _has_var(name) %}
    {%- set state = context['backfill_safety_render'] -%}
    {%- do return(name in backfill_safety._vars_of(state.node, state)) -%}
{% endmacro %}


{% macro _vars_of(node, state) %}
    {%- set cache = state.setdefault('vars_of', {}) -%}
    {%- if node.unique_id not in cache -%}
        {%- set known = {} -%}
        {%- set full = state.original.ref.manifest.nodes[node.unique_id] -%}
        {%- set config = state.original.ref.config -%}
        {%- if node.package_name != config.project_name -%}
            {%- do known.update(config.load_dependencies()[node.package_name].vars.vars_for(full, target.type)) -%}
        {%- endif -%}
        {%- do known.update(config.vars.vars_for(full, target.type)) -%}
        {%- do known.update(config.cli_vars) -%}
        {%- do known.update(state.options['vars']) -%}
        {%- do cache.update({node.unique_id: known}) -%}
    {%- endif -%}
    {%- do return(cache[node.unique_id]) -%}
{% endmacro %}


{#- A query at run time, noted: what hangs on its answer is rendered anew for each unit. It must not open a transaction. -#}
{% macro _statement(name=none, fetch_result=false, auto_begin=false, language='sql') %}
    {%- set state = context['backfill_safety_render'] -%}
    {%- do state.notes.update({'queried': true}) -%}
    {%- do state.notes.queries.append(caller()) -%}
    {%- do return(state.original.statement(name, fetch_result=fetch_result, auto_begin=false, language=language, caller=caller)) -%}
{% endmacro %}
