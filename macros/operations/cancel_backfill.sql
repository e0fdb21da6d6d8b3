{#- Ends an unfinished run; documented in macros.yml. -#}
{% macro cancel_backfill(run_id=none) %}
    {%- if not execute -%} {%- do return('') -%} {%- endif -%}
    {%- set opened = backfill_safety._find_run(run_id) -%}
    {%- set run = opened.run -%}
    {%- if run.state not in ['running', 'incomplete', 'failed'] -%}
        {%- do backfill_safety._refuse('run ' ~ run_id ~ ' is ' ~ run.state ~ ' and cannot be cancelled') -%}
    {%- endif -%}
    {%- set relation = opened.relation or opened.ledger -%}
    {%- set is_alive = run.state == 'running' and not backfill_safety._holds_database_alone()
        and backfill_safety._lease_is_alive(relation) -%}
    {%- set values = {'cancel_requested': 1} if is_alive else {'state': 'cancelled', 'cancel_requested': 1,
        'finished_at': backfill_safety._now()} -%}
    {%- set statements = [backfill_safety._set_run_sql(opened.ledger, run_id, values)] -%}
    {%- if not is_alive -%}
        {%- do statements.append('drop table if exists ' ~ backfill_safety._run_table(opened.ledger, 'rows', run_id)) -%}
    {%- endif -%}
    {%- do backfill_safety._end_transaction() -%}
    {%- set tried = backfill_safety._try(backfill_safety._engine('_wait_for_locks')() + statements,
        [backfill_safety._engine('_begin_sql')()]) -%}
    {%- do backfill_safety._run(['rollback' if tried.trouble else 'commit']) -%}
    {%- if tried.trouble -%}
        {%- do backfill_safety._refuse('run ' ~ run_id ~ ' could not be cancelled: ' ~ tried.trouble ~ '; ask again') -%}
    {%- endif -%}
    {%- do print('cancelled ' ~ run_id ~ (': it stops after the commit that is under way' if is_alive else '')
        ~ '; finished units stay (undo: rollback_backfill)') -%}
{% endmacro %}
