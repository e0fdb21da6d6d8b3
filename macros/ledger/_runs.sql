{#- The run's row, written with its units and its backup table in one transaction: a run is there whole or not at all. -#}
{% macro _run_row(plan) %}
    {%- set request = plan.request -%}
    {%- set row = {
        'run_id': plan.run_id,
        'ledger_version': backfill_safety._ledger_version(),
        'model': request.node.unique_id,
        'relation': request.relation | string,
        'column_name': request.column,
        'column_kind': request.column_kind,
        'column_format': request.column_format,
        'grain': request.grain | string,
        'timezone': request.timezone,
        'window_start': plan.bounds[0] | string,
        'window_end': plan.bounds[-1] | string,
        'units': plan.units,
        'branch': plan.branch,
        'read_mode': plan.read,
        'settings': tojson(backfill_safety._recorded_settings(plan)),
        'fingerprint': plan.fingerprint,
        'pinned': tojson({'invocation_id': plan.pinned.invocation_id, 'run_started_at': plan.pinned.run_started_at | string}),
        'cursor_values': tojson(plan.cursor),
        'findings': tojson(plan.findings),
        'verdict': plan.verdict.word,
        'accepted': tojson(request.accept),
        'reason': request.reason,
        'where_sql': request.where_sql,
        'state': 'running',
        'columns_written': tojson(plan.columns),
        'cancel_requested': 0,
        'target_name': target.name,
        'operator': target.get('user') or env_var('USER', ''),
        'started_at': backfill_safety._now(),
        'finished_at': none,
    } -%}
    {%- for column in backfill_safety._engine('_left_out')('runs', row) -%} {%- do row.update({column: none}) -%} {%- endfor -%}
    {%- do return(row) -%}
{% endmacro %}


{#- Unfinished runs of a model (newest first), or one run by its id. -#}
{% macro _load_runs(relation, condition) %}
    {%- if not backfill_safety._ledger_exists(relation) -%} {%- do return([]) -%} {%- endif -%}
    {%- set columns = backfill_safety._ledger_columns('runs').keys() | list -%}
    {%- set age = 'case when started_at > ' ~ dbt.dateadd('hour', -24, backfill_safety._now().sql) ~ ' then 1 else 0 end as is_recent' -%}
    {%- set rows = backfill_safety._fetch(
        'select ' ~ columns | join(', ') ~ ', ' ~ age ~ ' from ' ~ backfill_safety._ledger(relation, 'runs')
        ~ ' where ' ~ condition ~ ' order by started_at desc, run_id'
    ) -%}
    {%- set runs = [] -%}
    {%- for row in rows -%} {%- do runs.append(dict(zip(columns + ['is_recent'], row))) -%} {%- endfor -%}
    {%- do return(runs) -%}
{% endmacro %}


{% macro _run_by_id(relation, run_id) %}
    {%- do return(backfill_safety._load_runs(relation, 'run_id = ' ~ backfill_safety._quoted(run_id)) | first | default(none)) -%}
{% endmacro %}


{#- `also` is a further condition, such as that the lease is still there. -#}
{% macro _set_run_sql(relation, run_id, values, also='') %}
    {%- if not backfill_safety._has_transactions() -%}
        {%- do return(backfill_safety._appended_sql(relation, 'runs', values, 'run_id = ' ~ backfill_safety._quoted(run_id))) -%}
    {%- endif -%}
    {%- set parts = [] -%}
    {%- for name, value in values.items() -%} {%- do parts.append(name ~ ' = ' ~ backfill_safety._ledger_value(value)) -%} {%- endfor -%}
    {%- do return('update ' ~ backfill_safety._ledger(relation, 'runs') ~ ' set ' ~ parts | join(', ') ~ ' where run_id = '
        ~ backfill_safety._quoted(run_id) ~ also) -%}
{% endmacro %}
