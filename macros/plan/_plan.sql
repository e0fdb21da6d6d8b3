{#- Request → plan: everything that will be done, known before the first write. Reads the warehouse, writes nothing. -#}
{% macro _plan(request) %}
    {%- set bounds = backfill_safety._bounds(request) -%}
    {%- set run = backfill_safety._unfinished_run(request, bounds) -%}
    {%- set plan = {
        'request': request,
        'bounds': bounds,
        'slots': bounds | length if request.grain == 'value' else bounds | length - 1,
        'resumed': run,
        'run_id': run.run_id if run is not none else backfill_safety._new_run_id(request),
        'pinned': backfill_safety._pinned(run) if run is not none
            else {'invocation_id': invocation_id, 'run_started_at': run_started_at},
        'settings': backfill_safety._written_settings(request),
        'inputs': backfill_safety._inputs(request),
        'branch': request.branch or 'first',
        'holder': invocation_id,
    } -%}
    {%- do plan.update({'skipped': backfill_safety._skipped(plan) if plan.request.skip_units else []}) -%}
    {%- do plan.update({'units': plan.slots - plan.skipped | length}) -%}
    {%- do backfill_safety._plan_rendering(plan) -%}
    {%- do plan.update({'boundable': backfill_safety._boundable(plan) if request.microbatch and not plan.whole
        and backfill_safety._is_unbounded_batch(plan) else none}) -%}
    {%- do plan.update(backfill_safety._plan_columns(request, plan.sample_sql)) -%}
    {%- do plan.update({'read': backfill_safety._read_mode(plan)}) -%}
    {%- do plan.update({'fingerprint': backfill_safety._fingerprint(plan)}) -%}
    {%- if run is not none -%}
        {%- do backfill_safety._refuse_changed_code(plan) -%}
        {%- do backfill_safety._refuse_changed_columns(plan) -%}
    {%- endif -%}
    {%- set asks_for_edge = request.live == 'running' and not backfill_safety._holds_database_alone() -%}
    {%- set cursor = backfill_safety._cursor(request, plan.live) -%}
    {%- do plan.update({
        'cursor': cursor,
        'rows_before_window': backfill_safety._rows_before_window(plan, cursor),
        'cursor_condition': backfill_safety._cursor_condition(request, plan.live, cursor),
        'live_edge': backfill_safety._live_edge(plan) if asks_for_edge else none,
        'existing': backfill_safety._existing_rows(plan),
        'attached': backfill_safety._attached(request.relation),
        'shared': backfill_safety._engine('_shared_database')(request.relation),
        'estimate': backfill_safety._engine('_estimate')(plan),
    }) -%}
    {%- if request.expect.get('sql') -%}
        {#- what does not run ends here, before anything is written -#}
        {%- do backfill_safety._fetch('select count(*) from ' ~ backfill_safety._expectation_sql(request, request.relation | string,
            backfill_safety._units_predicate(request, plan.bounds, 0, 0)) ~ ' where 1 = 0') -%}
    {%- endif -%}
    {%- do plan.update({'sample': backfill_safety._sample(plan), 'units_in_select': backfill_safety._engine('_units_in_select')(plan)}) -%}
    {%- do return(plan) -%}
{% endmacro %}


{#- Positions of the units to leave alone, named by their start (or value). -#}
{% macro _skipped(plan) %}
    {%- set request = plan.request -%}
    {%- set skipped = [] -%}
    {%- for given in request.skip_units -%}
        {%- if request.grain == 'value' -%} {%- set text = given | string -%}
        {%- elif request.grain is number -%} {%- set text = backfill_safety._read_integer('skip_units', given) | string -%}
    {%- else -%}
        {%- set text = backfill_safety._bound_text(backfill_safety._read_time('skip_units', given, request.timezone), request) -%}
        {%- endif -%}
        {%- if text not in plan.bounds[:plan.slots] -%}
            {%- do backfill_safety._refuse("skip_units names '" ~ given
                ~ "', which is no unit of the window; write the start of one, such as "
                ~ backfill_safety._unit_name(plan.bounds[0], request)) -%}
        {%- endif -%}
        {%- do skipped.append(plan.bounds.index(text)) -%}
    {%- endfor -%}
    {%- if skipped | unique | list | length == plan.slots -%}
        {%- do backfill_safety._refuse('skip_units leaves no unit of the window; leave it out') -%}
    {%- endif -%}
    {%- do return(skipped | unique | list) -%}
{% endmacro %}


{#- The positions of the window's units, without those that are skipped. -#}
{% macro _positions(plan) %}
    {%- set positions = [] -%}
    {%- for _ in backfill_safety._times(plan.slots) -%}
        {%- if loop.index0 not in plan.skipped -%} {%- do positions.append(loop.index0) -%} {%- endif -%}
    {%- endfor -%}
    {%- do return(positions) -%}
{% endmacro %}


{#- The chosen branch as a template for every unit, or the need to render each; and the live rendering to compare with. -#}
{% macro _plan_rendering(plan) %}
    {%- set request = plan.request -%}
    {%- set unit = backfill_safety._unit_ends(plan, 0, 0) -%}
    {%- set first = backfill_safety._render_plan(plan, {'branch': 'first', 'unit': unit, 'inputs': {}}) -%}
    {#- a header sets the session up (functions, settings): the plan's own queries need it as well -#}
    {%- if first.header -%}
        {%- do backfill_safety._run([first.header]) -%}
    {%- endif -%}
    {%- set live = first -%}
    {%- if request.node.config.materialized == 'incremental' -%}
        {%- set live = backfill_safety._render_plan(plan, {'branch': 'live', 'unit': unit, 'inputs': {}, 'plain_this': true}) -%}
    {%- endif -%}
    {%- for form in [first, live] -%} {%- do form.update({'bare': backfill_safety._without_comments(form.sql)}) -%} {%- endfor -%}
    {%- set sample = backfill_safety._render_plan(plan, {'unit': unit}) -%}
    {%- do plan.update({'declared': plan.inputs.keys() | list}) -%}
    {%- do plan.update(backfill_safety._bounded_inputs(plan.inputs, sample)) -%}
    {%- if plan.inputs | length < plan.declared | length -%}
        {%- set sample = backfill_safety._render_plan(plan, {'unit': unit}) -%}
    {%- endif -%}
    {%- do backfill_safety._refuse_own_name(plan, sample) -%}
    {%- set per_unit = sample.queried and sample.bounds or (request['vars'] and backfill_safety._has_unit_vars(plan))
        or (request.microbatch and '.batch' in request.node.raw_code) -%}
    {%- do plan.update({
        'first': first,
        'live': live,
        'differences': backfill_safety._branch_differences(first.bare, live.bare) if first.bare != live.bare else [],
        'sample_sql': sample.sql,
        'renders_each': true if per_unit else false,
        'rendered': sample if per_unit else backfill_safety._render_plan(plan, {'unit': none}),
        'reads_itself': backfill_safety._names_relation((live if plan.branch == 'live' else first).sql, request.relation),
    }) -%}
{% endmacro %}


{% macro _render_plan(plan, options) %}
    {%- set vars = {} -%}
    {%- for name, value in plan.request['vars'].items() -%}
        {%- do vars.update({name: backfill_safety._fill_var(value, plan, options.unit)}) -%}
    {%- endfor -%}
    {%- do return(backfill_safety._render_model(plan.request.node, dict({
        'request': plan.request, 'branch': plan.branch, 'inputs': plan.inputs, 'vars': vars, 'pinned': plan.pinned, 'plain_this': false,
    }, **options))) -%}
{% endmacro %}


{% macro _unit_ends(plan, first, last) %}
    {%- do return(plan.bounds[first:last + 1] if plan.request.grain == 'value' else [plan.bounds[first], plan.bounds[last + 1]]) -%}
{% endmacro %}


{#- Whether a unit may read what the units before it wrote: then they are done oldest first, each by itself and in a commit of its own. -#}
{% macro _goes_in_order(plan) %}
    {%- do return(plan.branch == 'live' or plan.reads_itself) -%}
{% endmacro %}


{#- per_unit where a unit can be computed from its own rows (or must be); once where each unit would read everything. -#}
{% macro _read_mode(plan) %}
    {%- set request = plan.request -%}
    {%- set must = plan.renders_each or backfill_safety._goes_in_order(plan) or (request.microbatch and plan.inputs) -%}
    {%- if request.read == 'auto' -%}
        {%- do return('per_unit' if must or plan.rendered.bounds or plan.units == 1 else 'once') -%}
    {%- endif -%}
    {%- if request.read == 'once' and must -%} {%- do backfill_safety._refuse_once(plan) -%} {%- endif -%}
    {%- do return(request.read) -%}
{% endmacro %}


{% macro _refuse_once(plan) %}
    {%- set request = plan.request -%}
    {%- set why = 'has its own SQL (' ~ ('microbatch' if request.microbatch else ('the live branch' if plan.branch == 'live'
        else 'vars or run-time queries')) ~ ')' -%}
    {%- if plan.branch == 'first' and plan.reads_itself -%}
        {%- set why = 'reads the units before it (it reads its own table)' -%}
    {%- endif -%}
    {%- do backfill_safety._refuse('read: once cannot be used: each unit of ' ~ request.node.name ~ ' ' ~ why ~ '; leave read out') -%}
{% endmacro %}


{% macro _refuse_changed_code(plan) %}
    {%- set run = plan.resumed -%}
    {%- if run.fingerprint != plan.fingerprint -%}
        {%- if plan.request.run_id is none -%}
            {%- do backfill_safety._refuse(
                'run ' ~ run.run_id ~ ' of the same window is unfinished and began with other code or settings; '
                ~ 'finish it with the code it began with, or end it: '
                ~ "dbt run-operation cancel_backfill --args '{run_id: " ~ run.run_id ~ "}', then ask again"
            ) -%}
        {%- else -%}
            {%- do backfill_safety._refuse(
                'run ' ~ run.run_id ~ " began with other code or settings (SQL, inputs' SQL, vars or arguments changed); "
                ~ 'leave run_id out to begin a new run'
            ) -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}
