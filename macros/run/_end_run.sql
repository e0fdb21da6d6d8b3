{#- Proves the whole, releases the lease, says what is true now and what to run next. Incomplete ends with an error. -#}
{% macro _end_run(plan, tally) %}
    {%- set request = plan.request -%}
    {%- set relation = request.relation -%}
    {%- set looked = backfill_safety._look(backfill_safety._cursor_sql(relation, plan.cursor)) if plan.cursor
        else {'rows': [], 'trouble': none} -%}
    {%- set values = looked.rows[0] if looked.rows else plan.cursor | map(attribute='value') -%}
    {%- do tally.update({'cursor': backfill_safety._cursor_now(plan, values), 'unseen': looked.trouble}) -%}
    {%- set doubts = [] if tally.stopped is not none else backfill_safety._doubts(plan, tally) -%}
    {%- if tally.unseen and tally.stopped is none -%}
        {%- do tally.update({'stopped': relation ~ ' could not be looked at as a whole: ' ~ tally.unseen ~ '; ask again'}) -%}
    {%- endif -%}
    {%- set complete = tally.stopped is none and not tally.deferred and not doubts -%}
    {%- if doubts -%} {%- do tally.update({'state': 'failed'}) -%} {%- endif -%}
    {%- set state = 'done' if complete else tally.get('state', 'incomplete') -%}
    {%- set statements = [backfill_safety._engine('_begin_sql')()] -%}
    {%- if not tally.get('lost') -%}
        {%- do statements.append(backfill_safety._set_run_sql(relation, plan.run_id, {'state': state,
            'finished_at': backfill_safety._now()}, backfill_safety._while_leased_sql(relation, plan.holder))) -%}
    {%- endif -%}
    {%- do statements.append(backfill_safety._release_lease_sql(relation, plan.holder)) -%}
    {%- do backfill_safety._run(statements + ['commit']) -%}
    {%- if complete and plan.read == 'once' -%} {%- do backfill_safety._drop_rows_read_once(plan) -%} {%- endif -%}
    {%- set late = backfill_safety._late_data(plan) if complete and not backfill_safety._holds_database_alone() else [] -%}
    {%- do backfill_safety._print_summary(plan, tally, complete, late) -%}
    {%- if not complete -%} {%- do backfill_safety._end_incomplete(plan, tally, state, doubts) -%} {%- endif -%}
{% endmacro %}


{#- Who reads it makes nobody wait: cleanup_backfills drops what is left. -#}
{% macro _drop_rows_read_once(plan) %}
    {%- do backfill_safety._try(backfill_safety._engine('_wait_for_locks')()
        + ['drop table if exists ' ~ backfill_safety._run_table(plan.request.relation, 'rows', plan.run_id)]) -%}
{% endmacro %}


{% macro _end_incomplete(plan, tally, state, doubts) %}
    {%- do backfill_safety._refuse(
        'run ' ~ plan.run_id ~ ' is ' ~ state ~ ': ' ~ tally.done ~ ' of ' ~ tally.total ~ ' '
            ~ backfill_safety._unit_word(plan.request, tally.total) ~ ' done; '
        ~ (doubts[0] if doubts else (tally.stopped or tally.deferred | length ~ ' deferred ('
            ~ backfill_safety._name_list(tally.deferred) ~ ') until the live run has caught up'))
    ) -%}
{% endmacro %}


{#- What a look at the whole shows to be wrong; empty where all is right. -#}
{% macro _doubts(plan, tally) %}
    {%- set request = plan.request -%}
    {%- set doubts = [] -%}
    {%- set done = backfill_safety._fetch(
        "select count(*) from " ~ backfill_safety._ledger(request.relation, 'units') ~ ' where run_id = '
            ~ backfill_safety._quoted(plan.run_id) ~ " and state in ('done', 'unchanged')"
    )[0][0] -%}
    {%- if done != tally.done -%}
        {%- do doubts.append('the ledger has ' ~ done ~ ' finished units and not ' ~ tally.done ~ '; ask again to do the others') -%}
    {%- endif -%}
    {%- if tally.cursor.changed and backfill_safety._holds_database_alone() -%}
        {%- do doubts.extend(backfill_safety._doubts_of_cursor(plan)) -%}
    {%- endif -%}
    {%- if backfill_safety._key_can_move(request) and (tally.gained_keys or plan.resumed or backfill_safety._last_run_failed(plan)) -%}
        {%- do doubts.extend(backfill_safety._doubts_of_keys(plan, tally)) -%}
    {%- endif -%}
    {%- do return(doubts) -%}
{% endmacro %}


{% macro _doubts_of_cursor(plan) %}
    {%- set newer = backfill_safety._past_cursor_sql(plan.cursor) -%}
    {%- if newer is none -%} {%- do return([]) -%} {%- endif -%}
    {%- set past = backfill_safety._fetch('select count(*) from ' ~ plan.request.relation ~ ' where ' ~ newer)[0][0] -%}
    {%- do return(['the cursor has moved: ' ~ backfill_safety._rows_word(past)
        ~ ' are newer than it was; roll back and report this'] if past else []) -%}
{% endmacro %}


{% macro _doubts_of_keys(plan, tally) %}
    {%- set looked = backfill_safety._look(backfill_safety._keys_in_two_units_sql(plan)) -%}
    {%- set twice = looked.rows[0][0] if looked.rows else 0 -%}
    {%- do tally.update({'unseen': tally.unseen or looked.trouble}) -%}
    {%- if not twice -%} {%- do return([]) -%} {%- endif -%}
    {%- do return(['BF211: ' ~ backfill_safety._grouped(twice) ~ ' keys (' ~ plan.request.key_columns | join(', ')
        ~ ') of the window stand in two units, re-dated rows among them; widen the window to their old dates, or roll back']) -%}
{% endmacro %}


{#- Whether a run of this table has failed since the last one that was done: what it left may not be right. -#}
{% macro _last_run_failed(plan) %}
    {%- set ends = dict(backfill_safety._fetch(
        'select state, cast(max(started_at) as ' ~ dbt.type_string() ~ ') from ' ~ backfill_safety._ledger(plan.request.relation, 'runs')
            ~ ' where relation = ' ~ backfill_safety._quoted(plan.request.relation) ~ " and state in ('done', 'failed') group by state"
    )) -%}
    {%- do return('failed' in ends and ends.failed > ends.get('done', '')) -%}
{% endmacro %}


{#- How many keys of the window another unit holds as well. One that is NULL is no row's own, so it cannot be the same row's. -#}
{% macro _keys_in_two_units_sql(plan) %}
    {%- set request = plan.request -%}
    {%- set names = backfill_safety._quoted_names(request.key_columns) -%}
    {%- set keys = names | join(', ') -%}
    {%- set predicate = backfill_safety._units_predicate(request, plan.bounds, 0, plan.slots - 1) -%}
    {%- set unit = backfill_safety._coarse_unit(request) -%}
    {%- if not backfill_safety._truncates_to_units(request) -%}
        {#- by the bounds themselves; all that lies outside of the window is one more unit -#}
        {%- set window = backfill_safety._units_predicate(dict(request, where_sql=''), plan.bounds, 0, plan.slots - 1) -%}
        {%- set unit = 'case when ' ~ window ~ ' then ' ~ backfill_safety._unit_number(request, plan.bounds, 0, plan.slots - 1)
            ~ ' else -1 end' -%}
    {%- endif -%}
    {%- do return(
        'select count(*) as backfill_count from (select ' ~ keys ~ ' from ' ~ request.relation ~ ' where '
            ~ names | join(' is not null and ') ~ ' is not null group by ' ~ keys
            ~ ' having count(*) > 1 and (count(distinct ' ~ unit ~ ') > 1 or count(' ~ request.column_sql
        ~ ') < count(*)) and count(case when ' ~ predicate ~ ' then 1 end) > 0) as twice'
    ) -%}
{% endmacro %}


{#- Whether what an engine truncates to, or the value itself, is the unit: not in another zone, of text or of integers, nor where weeks
    may begin on another day. -#}
{% macro _truncates_to_units(request) %}
    {%- do return(request.grain == 'value' or (request.timezone == 'UTC' and request.column_kind in ['date', 'timestamp']
        and request.grain != 'week')) -%}
{% endmacro %}


{% macro _print_summary(plan, tally, complete, late) %}
    {%- set request = plan.request -%}
    {%- set words = tally.done ~ ' of ' ~ tally.total ~ ' ' ~ backfill_safety._unit_word(request, tally.total) -%}
    {%- do print('') -%}
    {%- do print(
        ('done      ' if complete else 'stopped   ') ~ words ~ ' in ' ~ '%.1f s' % backfill_safety._seconds_since(tally.began)
            ~ '; ' ~ backfill_safety._grouped(tally.rows_before)
        ~ ' → ' ~ backfill_safety._rows_word(tally.rows_after)
            ~ ('; cursor unchanged' if plan.cursor and not tally.cursor.changed and not tally.unseen else '')
    ) -%}
    {%- if tally.cursor.changed -%}
        {%- do print('cursor    ' ~ tally.cursor.words ~ '; the live run goes on from there') -%}
    {%- endif -%}
    {%- if plan.get('compared') -%} {%- do backfill_safety._print_compared(plan.compared) -%} {%- endif -%}
    {%- for source in late -%} {%- do backfill_safety._print_late(source) -%} {%- endfor -%}
    {%- if request.backup and tally.done -%}
        {%- do print("undo      dbt run-operation rollback_backfill --args '{run_id: " ~ plan.run_id ~ "}'") -%}
    {%- endif -%}
    {%- if complete -%}
        {%- set below = backfill_safety._downstream(request.node) -%}
        {%- do print('next      dbt test --select ' ~ request.node.name ~ ('; then reprocess ' ~ backfill_safety._name_list(below)
            ~ ' over the same window' if below else '')) -%}
    {%- else -%}
        {%- do print(backfill_safety._way_on(plan, tally)) -%}
    {%- endif -%}
{% endmacro %}


{% macro _print_compared(compared) %}
    {%- do print('read      ' ~ backfill_safety._rounded(compared.read) ~ ' rows in the first commit, where the estimate expected '
        ~ backfill_safety._rounded(compared.share)) -%}
{% endmacro %}


{#- After a run that is not complete. -#}
{% macro _way_on(plan, tally) %}
    {%- do return('next      mend the cause, then ask again; with run_id: ' ~ plan.run_id
        ~ ' and the same arguments, finished units are not redone' if tally.get('state') == 'failed'
        else 'resume    ask again with the same arguments; finished units are not redone') -%}
{% endmacro %}


{% macro _print_late(source) %}
    {%- if source.trouble -%} {%- do print('late      not known of ' ~ source.name ~ ': ' ~ source.trouble) -%} {%- endif -%}
    {%- if source.rows -%} {%- do print('late      ' ~ source.name ~ ' has ' ~ backfill_safety._rows_word(source.rows | abs)
        ~ (' more' if source.rows > 0 else ' fewer')
        ~ ' in the window than when the run was planned; ask again over the same window') -%} {%- endif -%}
{% endmacro %}
