{#- What the ledger knows of runs; documented in macros.yml. -#}
{% macro backfill_status(run_id=none, model=none, format='table') %}
    {%- if not execute -%} {%- do return('') -%} {%- endif -%}
    {%- if format not in ['table', 'json'] -%}
        {%- do backfill_safety._refuse("format must be one of table, json, not '" ~ format ~ "'") -%}
    {%- endif -%}
    {%- set runs = [] -%}
    {%- if run_id is not none -%}
        {%- do runs.append(backfill_safety._find_run(run_id)) -%}
    {%- else -%}
        {%- set wanted = backfill_safety._find_model(model, none).unique_id if model is not none else none -%}
        {%- for ledger in backfill_safety._ledgers() -%}
            {%- set condition = 'model = ' ~ backfill_safety._quoted(wanted) if wanted else '1 = 1' -%}
            {%- for run in backfill_safety._load_runs(ledger, condition) -%}
                {%- do runs.append(backfill_safety._opened_run(run, ledger)) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endif -%}
    {%- set report = [] -%}
    {%- for opened in runs -%} {%- do report.append(backfill_safety._status_of(opened, run_id is not none)) -%} {%- endfor -%}
    {%- if format == 'json' -%} {%- do print(tojson(report)) -%}
    {%- else -%} {%- do backfill_safety._print_status(report, run_id is not none) -%}
    {%- endif -%}
{% endmacro %}


{% macro _status_of(opened, with_units) %}
    {%- set run = opened.run -%}
    {%- set counts = {} -%}
    {%- for state, n in backfill_safety._fetch(
        'select state, count(*) from ' ~ backfill_safety._ledger(opened.ledger, 'units') ~ ' where run_id = '
            ~ backfill_safety._quoted(run.run_id) ~ ' group by state order by state'
    ) -%} {%- do counts.update({state: n}) -%} {%- endfor -%}
    {%- set status = {
        'run_id': run.run_id, 'model': run.model, 'relation': run.relation, 'state': run.state, 'grain': run.grain,
            'start': run.window_start,
        'end': run.window_end, 'units': run.units, 'counts': counts, 'reason': run.reason, 'operator': run.operator,
        'started_at': run.started_at | string, 'finished_at': run.finished_at | string if run.finished_at else none,
    } -%}
    {#- nobody holds the lease of a run that was killed, though it still counts as running -#}
    {%- if run.state == 'running' -%}
        {%- do status.update({'alive': not backfill_safety._holds_database_alone() and opened.relation is not none
            and backfill_safety._lease_is_alive(opened.relation)}) -%}
    {%- endif -%}
    {%- if with_units -%}
        {%- do status.update({'not_done': backfill_safety._load_units(opened.ledger, run.run_id, "state not in ('done', 'unchanged')")}) -%}
    {%- endif -%}
    {%- do return(status) -%}
{% endmacro %}


{% macro _print_status(report, with_units) %}
    {%- if not report -%} {%- do print('no runs; the ledger is made by the first backfill') -%} {%- endif -%}
    {%- for status in report -%}
        {%- set counts = [] -%}
        {%- for state, n in status.counts.items() -%} {%- do counts.append(n ~ ' ' ~ state) -%} {%- endfor -%}
        {%- do print(status.run_id ~ '  ' ~ backfill_safety._padded(status.state, 11) ~ ' '
            ~ status.model.split('.')[2:] | join('.') ~ '  ' ~ status.start ~ ' to ' ~ status.end
            ~ ' by ' ~ status.grain ~ ('  has ended without a word: ask again to go on' if status.get('alive') == false else '')
            ~ '  ' ~ counts | join(', ') ~ '  begun ' ~ status.started_at[:19] ~ ' UTC' ~ ('  ('
                ~ status.reason ~ ')' if status.reason else '')) -%}
        {%- for unit in status.get('not_done', []) -%}
            {%- do print('  ' ~ backfill_safety._padded(unit.name, 20) ~ unit.state ~ (': ' ~ unit.message if unit.message else '')) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- if report and backfill_safety._holds_database_alone() -%}
        {%- do print(target.type
            ~ ' lets one process at a time open its file: while a run goes on, status and cancel have to wait for it.') -%}
    {%- endif -%}
{% endmacro %}
