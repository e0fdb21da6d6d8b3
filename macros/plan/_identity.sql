{#- Which run this is: a new one, or an unfinished one that is taken up again. What changes by nature is pinned. -#}
{% macro _unfinished_run(request, bounds) %}
    {%- if not backfill_safety._ledger_exists(request.relation) -%} {%- do return(none) -%} {%- endif -%}
    {%- if request.run_id is none -%} {%- do return(backfill_safety._unfinished_alike(request, bounds)) -%} {%- endif -%}
    {%- set run = backfill_safety._run_by_id(request.relation, request.run_id) -%}
    {%- if run is not none -%} {%- do backfill_safety._refuse_other_run(run, request, bounds) -%} {%- endif -%}
    {%- do return(run) -%}
{% endmacro %}


{#- The newest of the last day that has the same words. -#}
{% macro _unfinished_alike(request, bounds) %}
    {%- set relation = request.relation -%}
    {%- set same = {
        'model': request.node.unique_id, 'relation': relation | string, 'column_name': request.column, 'grain': request.grain | string,
        'timezone': request.timezone, 'window_start': bounds[0] | string, 'window_end': bounds[-1] | string, 'where_sql': request.where_sql,
    } -%}
    {%- set parts = ["state in ('running', 'incomplete')"] -%}
    {%- for name, value in same.items() -%} {%- do parts.append(name ~ ' = ' ~ backfill_safety._quoted(value)) -%} {%- endfor -%}
    {%- for run in backfill_safety._load_runs(relation, parts | join(' and ')) if run.is_recent == 1 -%}
        {%- do return(run) -%}
    {%- endfor -%}
    {%- do return(none) -%}
{% endmacro %}


{#- The column and the zone say which rows a unit is, so the same bounds by another one are other units. Where, column_format and what
    else is written stand in the fingerprint. -#}
{% macro _refuse_other_run(run, request, bounds) %}
    {%- for name, begun, given in [('column', run.column_name, request.column), ('timezone', run.timezone, request.timezone)]
        if run.model == request.node.unique_id and begun != given -%}
        {%- do backfill_safety._refuse(
            "run_id '" ~ run.run_id ~ "' began with " ~ name ~ ': ' ~ begun ~ ', not ' ~ given ~ '; give ' ~ name ~ ': ' ~ begun
            ~ ' to go on, or leave run_id out for a new run'
        ) -%}
    {%- endfor -%}
    {%- if run.model == request.node.unique_id and run.relation != request.relation | string -%}
        {%- do backfill_safety._refuse(
            "run_id '" ~ run.run_id ~ "' is a run of " ~ run.relation ~ ', not ' ~ request.relation
            ~ '; go on with the target that it began with, or give another run_id'
        ) -%}
    {%- endif -%}
    {%- if run.model != request.node.unique_id or run.window_start != bounds[0] | string or run.window_end != bounds[-1] | string
        or run.grain != request.grain | string -%}
        {%- do backfill_safety._refuse(
            "run_id '" ~ run.run_id ~ "' is a run of " ~ run.model ~ ' from ' ~ run.window_start ~ ' to ' ~ run.window_end
                ~ ' by ' ~ run.grain
            ~ '; give its own window, or another run_id'
        ) -%}
    {%- elif run.state not in ['running', 'incomplete', 'failed'] -%}
        {%- do backfill_safety._refuse("run_id '" ~ run.run_id ~ "' is " ~ run.state ~ '; leave run_id out for a new run') -%}
    {%- endif -%}
{% endmacro %}


{#- invocation_id and run_started_at as a run began with them that goes on; they are in the ledger. -#}
{% macro _pinned(run) %}
    {%- set pinned = fromjson(run.pinned) -%}
    {%- do return({
        'invocation_id': pinned.invocation_id,
        'run_started_at': modules.datetime.datetime.fromisoformat(pinned.run_started_at),
    }) -%}
{% endmacro %}


{#- The code a run began with: rendered SQL, the SQL of views it reads with their macros, and the settings that decide what is written. -#}
{% macro _fingerprint(plan) %}
    {%- set texts = [plan.rendered.sql, plan.rendered.header, plan.columns | join(','), tojson(plan.settings)] -%}
    {#- a list has no ends that would tell it from another one -#}
    {%- if plan.request.grain == 'value' -%} {%- do texts.append(tojson(plan.bounds | map('string') | list)) -%} {%- endif -%}
    {%- if plan.renders_each or plan.request.node.depends_on.nodes | select('in', graph.nodes) | list -%}
        {%- do texts.extend(backfill_safety._view_texts(plan.request.node, plan.renders_each)) -%}
    {%- endif -%}
    {%- do return(local_md5(texts | join('\n;\n'))) -%}
{% endmacro %}


{#- Parents that store no rows are part of the code: views, what views read, and the macros that they ask, by name so that the order in
    which dbt has parsed them says nothing. So is the model itself where each unit is rendered: what stands above is the first of them. -#}
{% macro _view_texts(node, renders_each) %}
    {%- set views, macros = {}, {} -%}
    {%- do backfill_safety._gather_views(node, views, macros) -%}
    {%- if renders_each -%}
        {%- do views.update({node.unique_id: node.raw_code}) -%}
        {%- do backfill_safety._gather_macros(node.depends_on.macros, macros) -%}
    {%- endif -%}
    {%- set texts = views.values() | list -%}
    {%- for _, text in macros | dictsort -%} {%- do texts.append(text) -%} {%- endfor -%}
    {%- do return(texts) -%}
{% endmacro %}


{% macro _gather_views(node, views, macros) %}
    {%- for id in node.depends_on.nodes if id in graph.nodes -%}
        {%- set parent = graph.nodes[id] -%}
        {%- if id not in views and parent.resource_type == 'model' and parent.config.materialized in ['view', 'ephemeral'] -%}
            {%- do views.update({id: parent.raw_code}) -%}
            {%- do backfill_safety._gather_macros(parent.depends_on.macros, macros) -%}
            {%- do backfill_safety._gather_views(parent, views, macros) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}


{#- The text of macros and of those that they call. This package's own are left out: each release of it would end every run that is
    under way, and its hooks, which give a view no rows, are most of them. -#}
{% macro _gather_macros(ids, macros) %}
    {%- for id in ids if id in ref.manifest.macros -%}
        {%- set called = ref.manifest.macros[id] -%}
        {%- if id not in macros and called.package_name != 'backfill_safety' -%}
            {%- do macros.update({id: called.macro_sql}) -%}
            {%- do backfill_safety._gather_macros(called.depends_on.macros, macros) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}


{% macro _new_run_id(request) %}
    {%- if request.run_id is not none -%} {%- do return(request.run_id) -%} {%- endif -%}
    {%- do return('b' ~ run_started_at.strftime('%Y%m%d_%H%M%S') ~ '_' ~ local_md5(invocation_id ~ request.node.unique_id)[:4]) -%}
{% endmacro %}


{#- Settings that decide what is written: a resumed run must have the same. -#}
{% macro _written_settings(request) %}
    {%- set vars = {} -%}
    {%- for name, value in request['vars'].items() -%} {%- do vars.update({name: value | string}) -%} {%- endfor -%}
    {%- do return({
        'branch': request.branch, 'vars': vars, 'inputs': request.inputs, 'read': request.read, 'where': request.where_sql,
        'skip_units': request.skip_units | map('string') | list, 'column_format': request.column_format,
            'replace_by': request.replace_by, 'expect': dict(request.expect),
        'hooks': request.hooks, 'backup': request.backup,
    }) -%}
{% endmacro %}


{#- What the ledger keeps of the arguments beside the columns that some have of their own: those above, with the inputs that were found,
    and how the run goes, which another call may change. -#}
{% macro _recorded_settings(plan) %}
    {%- set request = plan.request -%}
    {%- set inputs = {} -%}
    {%- for input in plan.inputs.values() -%}
        {%- set words = {} -%}
        {%- for name in ['column', 'lookback', 'lookahead', 'column_format'] if input.get(name) -%}
            {%- do words.update({name: input[name] | string}) -%}
        {%- endfor -%}
        {%- do inputs.update({input.name: words}) -%}
    {%- endfor -%}
    {%- set recorded = dict(plan.settings, inputs=inputs) -%}
    {%- set own = ['model', 'version', 'start', 'end', 'through', 'values', 'column', 'grain', 'timezone', 'accept', 'reason', 'dry_run',
        'format', 'run_id', 'worker'] -%}
    {%- for name in backfill_safety._known_arguments() if name not in recorded and name not in own -%}
        {%- do recorded.update({name: request[name]}) -%}
    {%- endfor -%}
    {%- do return(recorded) -%}
{% endmacro %}
