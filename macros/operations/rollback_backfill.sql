{#- Undoes a run unit by unit from its backup; documented in macros.yml. -#}
{% macro rollback_backfill(run_id=none, units=none, dry_run=false) %}
    {%- if not execute -%} {%- do return('') -%} {%- endif -%}
    {%- set opened = backfill_safety._find_run(run_id) -%}
    {%- set backup = backfill_safety._refuse_unless_undoable(opened) -%}
    {%- set chosen = backfill_safety._units_to_undo(opened, units) -%}
    {%- do backfill_safety._refuse_if_written_later(opened, chosen) -%}
    {%- do print('rollback  run ' ~ run_id ~ ' of ' ~ opened.relation ~ ': ' ~ chosen | length
        ~ ' units, newest first; every one is as the run left it') -%}
    {%- if dry_run -%} {%- do return('') -%} {%- endif -%}
    {%- do backfill_safety._end_transaction() -%}
    {%- do backfill_safety._run(['begin'] + backfill_safety._take_lease_sql(opened.relation, invocation_id)) -%}
    {%- set holder = backfill_safety._lease_holder(opened.relation) -%}
    {%- if holder[0] != invocation_id -%}
        {%- do backfill_safety._run(['rollback']) -%}
        {%- do backfill_safety._refuse('a backfill of ' ~ opened.relation ~ ' is running (lease until ' ~ holder[1]
            ~ ' UTC); wait for it, or cancel it first') -%}
    {%- endif -%}
    {%- do backfill_safety._run(['commit']) -%}
    {%- for unit in chosen | reverse -%} {%- do backfill_safety._undo_unit(opened, unit, backup) -%} {%- endfor -%}
    {%- do backfill_safety._end_rollback(opened, chosen) -%}
{% endmacro %}


{#- The backup's relation; refuses a run without one. -#}
{% macro _refuse_unless_undoable(opened) %}
    {%- set run = opened.run -%}
    {%- if opened.relation is none -%}
        {%- do backfill_safety._refuse('the table of ' ~ run.model ~ ' is gone; nothing can be put back into it') -%}
    {%- endif -%}
    {%- set table = backfill_safety._run_table(opened.ledger, 'backup', run.run_id) -%}
    {%- set backup = adapter.get_relation(table.database, table.schema, table.identifier) -%}
    {%- if backup is none -%}
        {%- do backfill_safety._refuse('run ' ~ run.run_id ~ ' has no backup (' ~ table
            ~ '): it ran with backup: false, or cleanup_backfills has dropped it') -%}
    {%- endif -%}
    {%- set changed = backfill_safety._changed_columns(opened.relation,
        adapter.get_columns_in_relation(backup) | map(attribute='name') | list) -%}
    {%- if changed.gone -%}
        {%- do backfill_safety._refuse(opened.relation ~ ' no longer has ' ~ changed.gone | join(', ') ~ ', which the backup of run '
            ~ run.run_id ~ ' holds; add what is gone again, as ' ~ backup ~ ' has it, then undo') -%}
    {%- endif -%}
    {%- do opened.update({'new_columns': backfill_safety._quoted_names(changed.new)}) -%}
    {%- do return(backup) -%}
{% endmacro %}


{% macro _units_to_undo(opened, names) %}
    {%- set done = backfill_safety._load_units(opened.ledger, opened.run.run_id, backfill_safety._written_units_sql()) -%}
    {%- set chosen = [] -%}
    {%- set wanted = [] -%}
    {%- for name in names or [] -%} {%- do wanted.append(name | string) -%} {%- endfor -%}
    {%- for unit in done if names is none or unit.name in wanted -%} {%- do chosen.append(unit) -%} {%- endfor -%}
    {%- set known = chosen | map(attribute='name') | list -%}
    {%- for name in wanted if name not in known -%}
        {%- do backfill_safety._refuse("units names '" ~ name ~ "', which is no finished unit of run " ~ opened.run.run_id
            ~ '; backfill_status shows them') -%}
    {%- endfor -%}
    {#- killed after its last unit, an undo has yet to say so -#}
    {%- set is_undone = not done and opened.run.state not in ['rolled back', 'running']
        and backfill_safety._load_units(opened.ledger, opened.run.run_id, "state = 'rolled back'") -%}
    {%- if not chosen and not is_undone -%}
        {%- do backfill_safety._refuse('run ' ~ opened.run.run_id ~ ' has no finished unit that could be undone') -%}
    {%- endif -%}
    {%- do return(chosen) -%}
{% endmacro %}


{% macro _unit_predicate_of(opened, unit) %}
    {%- do return(backfill_safety._units_predicate(opened.request, [unit.lower_bound, unit.upper_bound], 0, 0)) -%}
{% endmacro %}


{% macro _unit_checksum_sql(opened, unit) %}
    {%- set columns = backfill_safety._quoted_names(fromjson(opened.run.columns_written)) -%}
    {%- do return(
        'select count(*), ' ~ backfill_safety._checksum_of(columns) ~ ' from ' ~ opened.relation ~ ' where '
            ~ backfill_safety._unit_predicate_of(opened, unit)
    ) -%}
{% endmacro %}


{#- Whether rows of a unit hold something in columns that the backup does not have: it would be gone with them. -#}
{% macro _holds_more(opened, unit) %}
    {%- if not opened.new_columns -%} {%- do return(false) -%} {%- endif -%}
    {%- do return(backfill_safety._fetch('select count(case when ' ~ opened.new_columns | join(' is not null or ')
        ~ ' is not null then 1 end) from ' ~ opened.relation ~ ' where ' ~ backfill_safety._unit_predicate_of(opened, unit))[0][0] > 0) -%}
{% endmacro %}


{#- All units are looked at before the first is touched. -#}
{% macro _refuse_if_written_later(opened, units) %}
    {%- set changed = [] -%}
    {%- set looks = backfill_safety._engine('_see_others_sql')(opened.relation) -%}
    {%- if looks -%} {%- do backfill_safety._run(looks) -%} {%- endif -%}
    {%- for unit in units if not backfill_safety._may_be_half_written(opened.run, unit) -%}
        {%- set now = backfill_safety._fetch(backfill_safety._unit_checksum_sql(opened, unit))[0] | list -%}
        {%- if now not in backfill_safety._left_in(unit) or backfill_safety._holds_more(opened, unit) -%}
            {%- do changed.append(unit.name) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if changed -%}
        {%- do backfill_safety._refuse(
            'written to since run ' ~ opened.run.run_id ~ ': ' ~ backfill_safety._name_list(changed)
                ~ '; undoing would lose that, so nothing was undone. '
            ~ 'Undo the others by name (units: [...]), or reprocess these'
        ) -%}
    {%- endif -%}
{% endmacro %}


{#- One unit back as it was, looked at before it is committed. -#}
{% macro _undo_unit(opened, unit, backup) %}
    {%- if not backfill_safety._has_transactions() -%}
        {%- do return(backfill_safety._undo_unit_staged(opened, unit, backup)) -%}
    {%- endif -%}
    {%- set names = backfill_safety._quoted_names(adapter.get_columns_in_relation(backup) | map(attribute='name')) | join(', ') -%}
    {%- do backfill_safety._end_transaction() -%}
    {%- set predicate = backfill_safety._unit_predicate_of(opened, unit) -%}
    {%- set checksum = backfill_safety._unit_checksum_sql(opened, unit) -%}
    {%- set turn = backfill_safety._turn({'request': {'relation': opened.relation}, 'lock_wait': '2min'}, []) -%}
    {%- if not turn.ok -%}
        {%- do backfill_safety._refuse('the live run of ' ~ opened.relation ~ ' ' ~ backfill_safety._held_its_turn() ~ '; ' ~ unit.name
            ~ ' and older units are left as they are. Ask again') -%}
    {%- endif -%}
    {%- do backfill_safety._run(turn.statements + [backfill_safety._renew_lease_sql(opened.relation, invocation_id)]) -%}
    {%- set holder = backfill_safety._lease_holder(opened.relation) -%}
    {%- set now = backfill_safety._fetch(checksum) -%}
    {%- if holder is none or holder[0] != invocation_id -%}
        {%- do backfill_safety._run(['rollback']) -%}
        {%- do backfill_safety._refuse('the lease has been taken by a backfill; ' ~ unit.name
            ~ ' and older units are left as they are. Ask again when it has ended') -%}
    {%- endif -%}
    {%- if now[0][1] != unit.checksum_after -%}
        {%- do backfill_safety._run(['rollback']) -%}
        {%- do backfill_safety._refuse(unit.name ~ ' was written to while it was being undone; it is left as it is. Ask again') -%}
    {%- endif -%}
    {%- set now = backfill_safety._run([
        'delete from ' ~ opened.relation ~ ' where ' ~ predicate,
        'insert into ' ~ opened.relation ~ ' (' ~ names ~ ') select ' ~ names ~ ' from ' ~ backup ~ ' where ' ~ predicate,
        'delete from ' ~ backup ~ ' where ' ~ predicate,
        backfill_safety._set_unit_sql(opened.ledger, opened.run.run_id, unit.unit_no, {'state': 'rolled back',
            'finished_at': backfill_safety._now()}),
        checksum,
    ]) -%}
    {%- if now[0][0] != unit.rows_before or now[0][1] != unit.checksum_before -%}
        {%- do backfill_safety._run(['rollback']) -%}
        {%- do backfill_safety._refuse('the backup of ' ~ unit.name ~ ' does not give back what the run replaced; it is left as it is') -%}
    {%- endif -%}
    {%- do backfill_safety._run(['commit']) -%}
{% endmacro %}


{% macro _end_rollback(opened, units) %}
    {%- set left = backfill_safety._load_units(opened.ledger, opened.run.run_id, backfill_safety._written_units_sql()) | length -%}
    {%- do backfill_safety._run([
        'begin',
        backfill_safety._set_run_sql(opened.ledger, opened.run.run_id, {'state': 'rolled back' if left == 0
            else 'partly rolled back', 'finished_at': backfill_safety._now()},
            backfill_safety._while_leased_sql(opened.relation, invocation_id)),
        backfill_safety._release_lease_sql(opened.relation, invocation_id),
        'commit',
    ]) -%}
    {%- do print('undone    ' ~ units | length ~ ' units are as they were before the run' ~ ('; ' ~ left
        ~ ' units of it stay' if left else '')) -%}
{% endmacro %}
