{#- Reprocesses a past window of a model, unit by unit; every argument is documented in macros.yml. -#}
{% macro safe_backfill(
    model=none, version=none, start=none, end=none, through=none, values=none, column=none, grain=none, timezone=none,
    column_format=none, branch=none, vars=none, inputs=none, read=none, where=none, skip_units=none, mode=none, replace_by=none,
    only_changed=none, order=none, units_per_commit=none, seconds_per_commit=none, limits=none, pause_seconds=none, live=none,
    expect=none, hooks=none, backup=none, cascade=none, accept=none, reason=none, dry_run=none, format=none, run_id=none, worker=none
) %}
    {%- if not execute -%} {%- do return('') -%} {%- endif -%}
    {%- if context is not defined or render is not defined or ref.manifest is not defined or ref.config is not defined -%}
        {%- do backfill_safety._refuse('a model cannot be rendered inside an operation by this dbt; use dbt-core 1.8 or later') -%}
    {%- endif -%}
    {%- set given = dict(
        model=model, version=version, start=start, end=end, through=through, values=values, column=column, grain=grain,
        timezone=timezone, column_format=column_format, branch=branch, vars=vars, inputs=inputs, read=read, where=where,
        skip_units=skip_units, mode=mode, replace_by=replace_by, only_changed=only_changed, order=order,
        units_per_commit=units_per_commit, seconds_per_commit=seconds_per_commit, limits=limits, pause_seconds=pause_seconds, live=live,
        expect=expect, hooks=hooks, backup=backup, cascade=cascade, accept=accept, reason=reason, dry_run=dry_run, format=format,
        run_id=run_id, worker=worker
    ) -%}
    {%- set arguments = backfill_safety._read_arguments(given, kwargs.keys() | list) -%}
    {%- if arguments.worker is not none -%}
        {%- do backfill_safety._check_worker(arguments) -%}
        {%- do backfill_safety._enter_gate(arguments.run_id) -%}
    {%- endif -%}
    {%- do backfill_safety._engine('_begin_plan')() -%}
    {%- set request = backfill_safety._request(arguments) -%}
    {%- set plan = backfill_safety._plan(request) -%}
    {%- do plan.update({'hooks': backfill_safety._plan_hooks(plan) if backfill_safety._has_hooks(request.node) else []}) -%}
    {%- do plan.update({'findings': backfill_safety._findings(plan)}) -%}
    {%- do plan.update({'verdict': backfill_safety._verdict(plan, plan.findings)}) -%}
    {%- if request.format == 'json' -%}
        {%- do backfill_safety._print_plan_json(plan) -%}
    {%- else -%}
        {%- do backfill_safety._print_plan(plan) -%}
    {%- endif -%}
    {%- if request.dry_run -%} {%- do return('') -%} {%- endif -%}
    {%- if plan.verdict.word != 'SAFE TO RUN' -%}
        {%- do backfill_safety._refuse(plan.verdict.word ~ ': nothing was written; ' ~ plan.verdict.reason) -%}
    {%- endif -%}
    {%- if request.worker is not none -%} {%- do backfill_safety._run_as_worker(plan) -%}
    {%- else -%} {%- do backfill_safety._run_backfill(plan) -%}
    {%- endif -%}
{% endmacro %}
