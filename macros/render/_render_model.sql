{#- The model's own SQL, rendered here as dbt would render it for a run. The only macros that change the context.
    options: request, branch ('first' or 'live'), inputs ({unique_id: input}), vars (overrides), pinned
    ({invocation_id, run_started_at}), unit ([lower, upper] texts, or none for placeholders that _fill replaces).
    plain_this leaves the target unfiltered on the live branch, to find the watermark.
    Returns {sql, header, bounds, queried, queries, watermarks, vars, reads}. -#}
{% macro _render_model(node, options) %}
    {%- set state = {
        'options': options,
        'node': node,
        'ctes': {},
        'vars': {},
        'bounds': [],
        'reads': {},
        'notes': {'queried': false, 'header': node.config.get('sql_header') or '', 'queries': [], 'watermarks': []},
        'original': {'ref': builtins.ref, 'source': builtins.source, 'builtins': builtins, 'statement': context['statement']},
    } -%}
    {%- set saved = {} -%}
    {%- set overrides = backfill_safety._model_context(node, state) -%}
    {%- for name in overrides if name in context -%} {%- do saved.update({name: context[name]}) -%} {%- endfor -%}
    {%- do context.update(overrides) -%}
    {%- do context.update({'backfill_safety_render': state}) -%}
    {%- set body = backfill_safety._render_text(node) -%}
    {%- do context.pop('backfill_safety_render') -%}
    {%- for name in overrides if name not in saved -%} {%- do context.pop(name) -%} {%- endfor -%}
    {%- do context.update(saved) -%}
    {%- set sql = backfill_safety._alias_bounded(body) if state.bounds else body -%}
    {%- do return({
        'sql': backfill_safety._with_ctes(sql, state.ctes) if state.ctes else sql,
        'header': backfill_safety._header(state.notes.header),
        'bounds': state.bounds,
        'queried': state.notes.queried,
        'queries': state.notes.queries,
        'watermarks': state.notes.watermarks,
        'vars': state['vars'],
        'reads': state.reads,
    }) -%}
{% endmacro %}


{#- A sql_header as the head of a script: closed by a semicolon, which a comment at its end does not hide. -#}
{% macro _header(text) %}
    {%- set bare = text | trim -%}
    {%- do return('' if not bare else bare ~ ('' if bare.endswith(';') else '\n;') ~ '\n') -%}
{% endmacro %}


{#- What a model sees that an operation does not: its package's macros, its own this, model, config, var, ref, source. -#}
{% macro _model_context(node, state) %}
    {%- set options = state.options -%}
    {%- set overrides = {} -%}
    {%- set root = context.get(project_name) or {} -%}
    {%- set own = context.get(node.package_name) or {} -%}
    {%- do overrides.update(root) -%}
    {%- do overrides.update(own) -%}
    {%- set ref_macro = backfill_safety._ref -%}
    {%- set source_macro = backfill_safety._source -%}
    {%- if 'ref' not in overrides -%} {%- do overrides.update({'ref': ref_macro}) -%} {%- endif -%}
    {%- if 'source' not in overrides -%} {%- do overrides.update({'source': source_macro}) -%} {%- endif -%}
    {%- do overrides.update({
        'builtins': dict(builtins, ref=ref_macro, source=source_macro),
        'is_incremental': backfill_safety._true if options.branch == 'live' else backfill_safety._false,
        'should_full_refresh': backfill_safety._false if options.branch == 'live' else backfill_safety._true,
        'flags': backfill_safety._flags(options.branch),
        'var': backfill_safety._var,
        'backfill_safety_has_var': backfill_safety._has_var,
        'backfill_safety_config_call': backfill_safety._config_call,
        'config': namespace(
            get=backfill_safety._config_get,
            require=backfill_safety._config_require,
            meta_get=backfill_safety._config_meta_get,
            meta_require=backfill_safety._config_meta_get,
            set=backfill_safety._config_set,
            persist_relation_docs=backfill_safety._false,
            persist_column_docs=backfill_safety._false,
        ),
        'statement': backfill_safety._statement,
        'this': backfill_safety._this(state),
        'database': node.database,
        'schema': node.schema,
        'model': dict(node, batch=backfill_safety._batch(options) if options.request.microbatch and options.unit is not none else none),
        'invocation_id': options.pinned.invocation_id,
        'run_started_at': options.pinned.run_started_at,
    }) -%}
    {%- do return(overrides) -%}
{% endmacro %}


{#- The text of one node. `config(…)` is a call and `config.get` an attribute, which no one object of Jinja answers:
    the call gets a name of its own, as does `var.has_var`. Only inside of tags: what SQL says is the model's own. -#}
{% macro _render_text(node) %}
    {%- set parts = [] -%}
    {%- for part in modules.re.split('(?s)([{][%{].*?[}%][}])', node.raw_code) -%}
        {%- if loop.index0 % 2 -%}
            {%- set part = modules.re.sub('(?<![\\w.])config\\s*\\(', 'backfill_safety_config_call(', part) -%}
            {%- set part = modules.re.sub('(?<![\\w.])var\\.has_var\\s*\\(', 'backfill_safety_has_var(', part) -%}
        {%- endif -%}
        {%- do parts.append(part) -%}
    {%- endfor -%}
    {%- set text = render(parts | join) -%}
    {%- do return(backfill_safety._without_end(text | trim)) -%}
{% endmacro %}


{#- SQL without a semicolon at its end and the comments after it; one that stands in a text or a comment ends nothing. -#}
{% macro _without_end(sql) %}
    {%- if ';' not in sql -%} {%- do return(sql) -%} {%- endif -%}
    {%- set one_statement = "(?s)(?:'(?:[^']|'')*'|\"[^\"]*\"|[$][$].*?[$][$]|--[^\\n]*|/\\*.*?\\*/|[^;])*" -%}
    {%- set end = modules.re.match(one_statement, sql).end() -%}
    {%- set is_end = modules.re.match('(?:;\\s*(?:--[^\\n]*(?:\\n\\s*|$))*)+$', sql[end:]) -%}
    {%- do return(sql[:end] if is_end else sql) -%}
{% endmacro %}


{#- Ephemeral parents in front of the body, as dbt puts them. -#}
{% macro _with_ctes(body, ctes) %}
    {%- set parts = [] -%}
    {%- for name, sql in ctes.items() -%} {%- do parts.append(name ~ ' as (\n' ~ sql ~ '\n)') -%} {%- endfor -%}
    {%- set head = '(?is)^((?:\\s|--[^\\n]*\\n|/\\*.*?\\*/)*)with(\\s+recursive)?\\s' -%}
    {%- set match = modules.re.match(head, body) -%}
    {%- if match -%}
        {%- do return(match.group(1) ~ 'with' ~ (match.group(2) or '') ~ ' ' ~ parts | join(',\n') ~ ',\n' ~ body[match.end():]) -%}
    {%- endif -%}
    {%- do return('with ' ~ parts | join(',\n') ~ '\n' ~ body) -%}
{% endmacro %}


{#- The target as the model sees it: on the live branch only the rows before the unit, so that its history is replayed. -#}
{% macro _this(state) %}
    {%- set request = state.options.request -%}
    {%- if state.options.branch == 'first' or state.options.plain_this or request.grain == 'value' -%}
        {%- do return(request.relation) -%}
    {%- endif -%}
    {%- set input = {'column_sql': request.column_sql, 'kind': request.column_kind, 'column_format': request.column_format,
        'before': true} -%}
    {%- do return(backfill_safety._filtered(request.relation, backfill_safety._bound_predicate(input, state))) -%}
{% endmacro %}


{#- What a microbatch model finds in model.batch: id and bounds of its batch in UTC. -#}
{% macro _batch(options) %}
    {%- set bounds = [] -%}
    {%- for text in options.unit -%}
        {%- set local = backfill_safety._bound_time(text, options.request) -%}
        {%- do bounds.append(modules.pytz.utc.localize(backfill_safety._to_utc(local, options.request.timezone))) -%}
    {%- endfor -%}
    {%- set id = bounds[0].strftime('%Y%m%d%H' if options.request.grain == 'hour' else '%Y%m%d') -%}
    {%- do return({'id': id, 'event_time_start': bounds[0], 'event_time_end': bounds[1]}) -%}
{% endmacro %}
