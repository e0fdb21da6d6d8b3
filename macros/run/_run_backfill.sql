{#- Plan → commits → summary. Everything up to here has only read. -#}
{% macro _run_backfill(plan) %}
    {%- set tally = {'done': 0, 'deferred': [], 'rows_before': 0, 'rows_after': 0, 'gained_keys': 0, 'stopped': none,
        'began': backfill_safety._clock(), 'lines': [], 'held': []} -%}
    {%- do backfill_safety._begin_run(plan) -%}
    {%- if plan.hooks -%} {%- do backfill_safety._run_hooks(plan, 'pre') -%} {%- endif -%}
    {%- if plan.read == 'once' -%} {%- do backfill_safety._read_once(plan) -%} {%- endif -%}
    {%- if not backfill_safety._has_transactions() -%} {%- do backfill_safety._commit_staged(plan, tally) -%}
    {%- elif backfill_safety._can_look_ahead(plan) -%} {%- do backfill_safety._commit_looking_ahead(plan, tally) -%}
    {%- else -%} {%- do backfill_safety._commit_all(plan, tally) -%}
    {%- endif -%}
    {%- if plan.hooks and tally.stopped is none and not tally.deferred -%} {%- do backfill_safety._run_hooks(plan, 'post') -%} {%- endif -%}
    {%- do backfill_safety._end_run(plan, tally) -%}
{% endmacro %}


{#- The lease, the run, its units and its backup table: in one transaction, so that a run is there whole or not at all. -#}
{% macro _begin_run(plan) %}
    {%- set relation = plan.request.relation -%}
    {%- do backfill_safety._end_transaction() -%}
    {%- if not backfill_safety._ledger_exists(relation) -%} {%- do backfill_safety._make_ledger(relation) -%} {%- endif -%}
    {%- set by_now = backfill_safety._take_lease(relation, plan.holder, 'another backfill', 'wait for it, or see backfill_status',
        plan.run_id) -%}
    {#- another call may have begun it, or ended it, since this one has read the ledger -#}
    {%- if by_now is not none and (plan.resumed is none or by_now not in ['running', 'incomplete', 'failed']) -%}
        {%- do backfill_safety._end_beside_another(plan.run_id, by_now) -%}
    {%- endif -%}
    {%- if plan.resumed is none -%} {%- do backfill_safety._make_run(plan) -%}
    {%- else -%} {%- do backfill_safety._take_up_run(plan) -%}
    {%- endif -%}
{% endmacro %}


{% macro _end_beside_another(run_id, state) %}
    {%- do backfill_safety._run(['rollback']) -%}
    {%- do backfill_safety._refuse('run ' ~ run_id ~ ' has meanwhile been begun by another call and is ' ~ state
        ~ '; see backfill_status, then ask again') -%}
{% endmacro %}


{% macro _make_ledger(relation) %}
    {%- set ledger = backfill_safety._ledger_relation(relation, 'runs') -%}
    {%- if ledger.schema != relation.schema -%}
        {%- do adapter.create_schema(ledger) -%}
        {%- do backfill_safety._end_transaction() -%}
    {%- endif -%}
    {%- set alone = backfill_safety._engine('_alone_sql')() -%}
    {%- set tried = backfill_safety._try(alone + backfill_safety._create_ledger_sql(relation), ['begin']) -%}
    {%- do backfill_safety._run(['rollback' if tried.trouble else 'commit']) -%}
    {%- if tried.trouble -%}
        {%- do backfill_safety._refuse('the ledger of ' ~ relation ~ ' could not be made: ' ~ tried.trouble ~ '; nothing was written') -%}
    {%- endif -%}
{% endmacro %}


{#- The run comes last: where nothing holds statements together, it is there when all else is. -#}
{% macro _make_run(plan) %}
    {%- set relation = plan.request.relation -%}
    {%- set made = backfill_safety._engine('_add_columns')(plan) if plan.added else [] -%}
    {%- if plan.request.backup -%}
        {%- set backup = backfill_safety._run_table(relation, 'backup', plan.run_id) -%}
        {%- do made.extend(backfill_safety._engine('_create_like_sql')(backup, '*', relation)) -%}
        {%- do made.extend(backfill_safety._engine('_index_sql')(backup, plan.request.column_sql)) -%}
    {%- endif -%}
    {%- set rows = backfill_safety._insert_units_sql(plan) -%}
    {%- set row = backfill_safety._run_row(plan) -%}
    {%- do rows.append(backfill_safety._insert_sql(backfill_safety._ledger_store(relation, 'runs'), row)) -%}
    {%- do backfill_safety._run(backfill_safety._engine('_make_and_insert_sql')(made, rows) + ['commit']) -%}
{% endmacro %}


{#- The cursor is read anew: the live run may have caught up since; and the run goes on as this call says. -#}
{% macro _take_up_run(plan) %}
    {%- set accepted = dict(fromjson(plan.resumed.accepted or '{}'), **plan.request.accept) -%}
    {%- set again = {'state': 'running', 'finished_at': none, 'cancel_requested': 0, 'cursor_values': tojson(plan.cursor),
        'accepted': tojson(accepted), 'settings': tojson(backfill_safety._recorded_settings(plan))} -%}
    {%- do backfill_safety._run([backfill_safety._set_run_sql(plan.request.relation, plan.run_id, again), 'commit']) -%}
{% endmacro %}


{#- Inside of an open transaction: tables are made or altered, then rows are inserted. Where making a table ends the transaction, an
    engine's file puts it in front. -#}
{% macro default___make_and_insert_sql(made, rows) %}
    {%- do return(made + rows) -%}
{% endmacro %}


{% macro _run_hooks(plan, kind) %}
    {%- for hook in plan.hooks if hook.runs and hook.kind == kind -%}
        {%- do backfill_safety._fetch(hook.sql) -%}
    {%- endfor -%}
{% endmacro %}


{#- The window's rows in one pass into a table of the run's own; units are committed from there. A resumed run reads anew: the
    live run may have written since, and its rows would be lost to older ones. -#}
{% macro _read_once(plan) %}
    {%- set request = plan.request -%}
    {%- set rows = backfill_safety._run_table(request.relation, 'rows', plan.run_id) -%}
    {%- set names = backfill_safety._quoted_names(plan.columns) | join(', ') -%}
    {%- set alone = backfill_safety._holds_database_alone() -%}
    {#- the lease is held while they are read, however long that takes, and runs anew from there -#}
    {%- set renewed = [] if alone else [backfill_safety._renew_lease_sql(request.relation, plan.holder)] -%}
    {%- set tried = backfill_safety._try(
        renewed + ([] if alone else [{'rows': backfill_safety._window_checksums_sql(plan)}]) + ['drop table if exists ' ~ rows]
        + backfill_safety._engine('_fill_like_sql')(rows, names, request.relation, plan.rendered.header, 'select ' ~ names ~ ' from (\n'
            ~ backfill_safety._window_sql(plan) ~ '\n) as backfill_rows where '
            ~ backfill_safety._units_predicate(request, plan.bounds, 0, plan.slots - 1))
        + backfill_safety._engine('_index_sql')(rows, request.column_sql) + renewed,
        [backfill_safety._engine('_begin_sql')()] + backfill_safety._engine('_wait_for_locks')()
    ) -%}
    {%- if tried.trouble -%}
        {%- do backfill_safety._run(['rollback']) -%}
        {%- do backfill_safety._stop_run(plan, 'incomplete' if tried.locked else 'failed', 'the rows of the window could not be read: '
            ~ tried.trouble ~ '; nothing was replaced. '
            ~ ('See pg_locks for who has what it reads, then ask again' if tried.locked else 'Mend that, then ask again')) -%}
    {%- endif -%}
    {%- do backfill_safety._run(['commit']) -%}
    {%- do plan.update({'seen': none if alone else dict(tried.answers[0])}) -%}
    {%- do backfill_safety._refuse_moved_keys(plan, rows) -%}
{% endmacro %}


{#- (position, checksum) of the units as they are before their rows are read: what another writes later is noticed. -#}
{% macro _window_checksums_sql(plan) %}
    {%- set request, last = plan.request, plan.slots - 1 -%}
    {%- do return(
        'select backfill_unit, ' ~ backfill_safety._checksum_of(backfill_safety._quoted_names(plan.columns))
        ~ ' as backfill_checksum from (select *, ' ~ backfill_safety._unit_number(request, plan.bounds, 0, last) ~ ' as backfill_unit from '
        ~ request.relation ~ ' where ' ~ backfill_safety._units_predicate(request, plan.bounds, 0, last)
        ~ ') as held group by backfill_unit'
    ) -%}
{% endmacro %}


{#- A key that the target already holds outside of the window would stand in two units. -#}
{% macro _refuse_moved_keys(plan, rows) %}
    {%- set request = plan.request -%}
    {%- if not backfill_safety._key_can_move(request) -%} {%- do return(none) -%} {%- endif -%}
    {%- set same = [] -%}
    {%- for name in request.key_columns -%}
        {%- do same.append('r.' ~ backfill_safety._quote(name) ~ ' = t.' ~ backfill_safety._quote(name)) -%}
    {%- endfor -%}
    {%- set inside = [backfill_safety._units_predicate(request, plan.bounds, 0, plan.slots - 1)] -%}
    {%- for position in plan.skipped -%}
        {%- do inside.append('not (' ~ backfill_safety._units_predicate(request, plan.bounds, position, position) ~ ')') -%}
    {%- endfor -%}
    {%- set inside = inside | join(' and ') -%}
    {%- set looked = backfill_safety._look(
        'select count(*) as backfill_count from (select * from ' ~ rows ~ ' where ' ~ inside
            ~ ') as r where exists (select 1 from (select * from ' ~ request.relation ~ ' where ' ~ request.column_sql
            ~ ' is null or not (' ~ inside ~ ')) as t where '
            ~ same | join(' and ') ~ ')'
    ) -%}
    {%- if looked.trouble -%}
        {%- do backfill_safety._stop_run(plan, 'incomplete', request.relation ~ ' could not be looked at: ' ~ looked.trouble
            ~ '; nothing was replaced. Ask again') -%}
    {%- endif -%}
    {%- set moved = looked.rows[0][0] -%}
    {%- if moved -%}
        {%- do backfill_safety._stop_run(plan, 'failed', 'BF211: ' ~ backfill_safety._rows_word(moved)
            ~ ' of the window have a key (' ~ request.key_columns | join(', ')
            ~ ') that the target holds outside of it; nothing was replaced: widen the window to the old dates, or '
            ~ 'accept: {BF211: reason}') -%}
    {%- endif -%}
{% endmacro %}


{#- Whether a key could stand in two units at all: not where the partition column is a part of it. -#}
{% macro _key_can_move(request) %}
    {%- do return(request.key_columns and request.column not in request.key_columns and 'BF211' not in request.accept) -%}
{% endmacro %}


{#- Ends the run in the ledger, gives the lease back, and ends the operation with a non-zero status. -#}
{% macro _stop_run(plan, state, message) %}
    {%- set relation = plan.request.relation -%}
    {%- do backfill_safety._run([
        backfill_safety._engine('_begin_sql')(),
        backfill_safety._set_run_sql(relation, plan.run_id, {'state': state, 'finished_at': backfill_safety._now()},
            backfill_safety._while_leased_sql(relation, plan.holder)),
        backfill_safety._release_lease_sql(relation, plan.holder),
        'commit',
    ]) -%}
    {%- do backfill_safety._refuse(message) -%}
{% endmacro %}
