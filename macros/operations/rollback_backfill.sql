{#- Undoes a run unit by unit from its backup; documented in macros.yml. -#}
{% macro rollback_backfill(run_id=none, units=none, dry_run=false) %}
    {%- if not execute -%} {%- do return('') -%} {%- endif -%}
    {%- set opened = backfill_safety._find_run(run_id) -%}
    {%- set backup = backfill_safety._refuse_unless_undoable(opened) -%}
    {%- set chosen = backfill_safety._units_to_undo(opened, units) -%}
    {%- set columns = backfill_safety._columns_to_undo(opened, backup) -%}
    {%- do backfill_safety._refuse_if_written_later(opened, chosen, columns.newer) -%}
    {%- do print('rollback  run ' ~ run_id ~ ' of ' ~ opened.relation ~ ': ' ~ chosen | length
        ~ ' units, newest first; every one is as the run left it') -%}
    {%- if dry_run -%} {%- do return('') -%} {%- endif -%}
    {%- do backfill_safety._end_transaction() -%}
    {%- do backfill_safety._take_lease(opened.relation, invocation_id, 'a backfill', 'wait for it, or cancel it first') -%}
    {%- do backfill_safety._run(['commit']) -%}
    {%- for unit in chosen | reverse -%} {%- do backfill_safety._undo_unit(opened, unit, backup, columns) -%} {%- endfor -%}
    {%- do backfill_safety._end_rollback(opened, chosen) -%}
{% endmacro %}


{#- The backup's relation; refuses a run without one. -#}
{% macro _refuse_unless_undoable(opened) %}
    {%- set run = opened.run -%}
    {%- if opened.relation is none -%}
        {%- do backfill_safety._refuse('the table of ' ~ run.model ~ ' is gone; nothing can be put back into it') -%}
    {%- endif -%}
    {%- if opened.relation | string != run.relation -%}
        {%- do backfill_safety._refuse('run ' ~ run.run_id ~ ' replaced rows of ' ~ run.relation ~ ', and the table of ' ~ run.model
            ~ ' is ' ~ opened.relation ~ ' here; ask with the target, schema and alias that it ran with') -%}
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


{#- Rows and checksum of a unit, and how many of its rows hold something in a column that came after the run, of which the backup knows
    nothing. -#}
{% macro _unit_look_sql(opened, unit, newer, rows=none) %}
    {%- set columns = backfill_safety._quoted_names(fromjson(opened.run.columns_written)) -%}
    {%- set held = [] -%}
    {%- for name in backfill_safety._quoted_names(newer) -%} {%- do held.append(name ~ ' is not null') -%} {%- endfor -%}
    {%- do return(
        'select count(*) as backfill_count, ' ~ backfill_safety._checksum_of(columns) ~ ' as backfill_checksum, '
            ~ ('count(case when ' ~ held | join(' or ') ~ ' then 1 end)' if held else '0') ~ ' as backfill_newer from '
            ~ (rows or opened.relation ~ ' where ' ~ backfill_safety._unit_predicate_of(opened, unit))
    ) -%}
{% endmacro %}


{#- Columns of the target as an undo meets them: `given` are those that it puts back, of those that the backup has; what stands in `newer`
    was written since the run: they came later, or the run had no values for them and left them empty. -#}
{% macro _columns_to_undo(opened, backup) %}
    {%- set relation = opened.relation -%}
    {%- set kept = adapter.get_columns_in_relation(backup) | map(attribute='name') | list -%}
    {%- set generated = backfill_safety._engine('_generated_columns')(relation) -%}
    {%- set newer = backfill_safety._changed_columns(relation, kept).new | reject('in', generated) | list -%}
    {%- set left_empty = kept | reject('in', generated) | reject('in', fromjson(opened.run.columns_written)) | list -%}
    {%- if left_empty and not (fromjson(opened.run.settings).get('expect') or {}).get('keep_missing') -%}
        {%- set filled = backfill_safety._engine('_filled_columns')(relation) -%}
        {%- do newer.extend(left_empty | reject('in', filled if filled is not none else left_empty)) -%}
    {%- endif -%}
    {%- do return({'given': kept | reject('in', generated) | list, 'newer': newer,
        'returns_deleted': backfill_safety._engine('_returns_deleted')(backfill_safety._attached(relation))}) -%}
{% endmacro %}


{#- All units are looked at before the first is touched. -#}
{% macro _refuse_if_written_later(opened, units, newer) %}
    {%- set changed = [] -%}
    {%- set looked = [] -%}
    {%- for unit in units if not backfill_safety._may_be_half_written(opened.run, unit) -%} {%- do looked.append(unit) -%} {%- endfor -%}
    {%- for some in looked | batch(100) -%}
        {%- set steps = backfill_safety._engine('_see_others_sql')(opened.relation) if loop.first else [] -%}
        {%- for unit in some -%} {%- do steps.append({'rows': backfill_safety._unit_look_sql(opened, unit, newer)}) -%} {%- endfor -%}
        {%- set tried = backfill_safety._try(steps, backfill_safety._engine('_wait_for_locks')()) -%}
        {%- if tried.trouble -%}
            {%- do backfill_safety._refuse(opened.relation ~ ' could not be looked at, and nothing was undone: ' ~ tried.trouble
                ~ (backfill_safety._lock_holders(opened.relation) if tried.locked else '')) -%}
        {%- endif -%}
        {%- for unit, rows in zip(some, tried.answers)
            if rows[0][2] or rows[0][:2] not in backfill_safety._left_in(unit) -%}
            {%- do changed.append(unit.name) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- if changed -%}
        {%- do backfill_safety._refuse(
            'written to since run ' ~ opened.run.run_id ~ ': ' ~ backfill_safety._name_list(changed)
                ~ '; undoing would lose that, so nothing was undone. '
            ~ 'Undo the others by name (units: [...]), or reprocess these'
        ) -%}
    {%- endif -%}
{% endmacro %}


{#- One unit back as it was, looked at before and after in the transaction that does it. -#}
{% macro _undo_unit(opened, unit, backup, columns) %}
    {%- if not backfill_safety._has_transactions() -%}
        {%- do return(backfill_safety._undo_unit_staged(opened, unit, backup)) -%}
    {%- endif -%}
    {%- set relation = opened.relation -%}
    {%- set names = backfill_safety._quoted_names(columns.given) | join(', ') -%}
    {%- set predicate = backfill_safety._unit_predicate_of(opened, unit) -%}
    {%- set look = {'rows': backfill_safety._unit_look_sql(opened, unit, columns.newer)} -%}
    {%- set delete = 'delete from ' ~ relation ~ ' where ' ~ predicate -%}
    {%- set taken = [{'with': 'gone as (' ~ delete ~ ' returning *)',
        'rows': backfill_safety._unit_look_sql(opened, unit, columns.newer, 'gone')}] if columns.returns_deleted else [look, delete] -%}
    {%- set rest = unit.name ~ ' and older units are left as they are. Ask again' -%}
    {%- do backfill_safety._end_transaction() -%}
    {%- set turn = backfill_safety._turn({'request': {'relation': relation}, 'lock_wait': '2min'}, []) -%}
    {%- if not turn.ok -%}
        {%- do backfill_safety._refuse('the live run of ' ~ relation ~ ' ' ~ backfill_safety._held_its_turn() ~ '; ' ~ rest) -%}
    {%- endif -%}
    {%- set tried = backfill_safety._try([
        backfill_safety._renew_lease_sql(relation, invocation_id),
        {'rows': backfill_safety._lease_holder_sql(relation)},
    ] + taken + [
        'insert into ' ~ relation ~ ' (' ~ names ~ ')' ~ backfill_safety._engine('_as_they_were')() ~ ' select ' ~ names ~ ' from '
            ~ backup ~ ' where ' ~ predicate,
        'delete from ' ~ backup ~ ' where ' ~ predicate,
        backfill_safety._set_unit_sql(opened.ledger, opened.run.run_id, unit.unit_no, {'state': 'rolled back',
            'finished_at': backfill_safety._now()}),
    ] + backfill_safety._engine('_check_now_sql')() + [look], turn.statements) -%}
    {%- set refusal = backfill_safety._refusal_of_undo(opened, unit, tried, rest) -%}
    {%- if refusal -%}
        {%- do backfill_safety._run(['rollback']) -%}
        {%- do backfill_safety._refuse(refusal) -%}
    {%- endif -%}
    {%- do backfill_safety._run(['commit']) -%}
{% endmacro %}


{#- Why a unit's undo may not stand, as words; none where it may. -#}
{% macro _refusal_of_undo(opened, unit, tried, rest) %}
    {%- if tried.trouble -%}
        {%- do return(unit.name ~ ' could not be undone: ' ~ tried.trouble
            ~ (backfill_safety._lock_holders(opened.relation) if tried.locked else '') ~ '; ' ~ rest) -%}
    {%- endif -%}
    {%- set holder, before, after = tried.answers -%}
    {%- if not holder or holder[0][0] != invocation_id -%}
        {%- do return('the lease has been taken by a backfill; ' ~ rest ~ ' when it has ended') -%}
    {%- elif before[0][1] != unit.checksum_after or before[0][2] -%}
        {%- do return(unit.name ~ ' was written to while it was being undone; it is left as it is. Ask again') -%}
    {%- elif after[0][:2] != [unit.rows_before, unit.checksum_before] -%}
        {%- do return('the backup of ' ~ unit.name ~ ' does not give back what the run replaced; it is left as it is') -%}
    {%- endif -%}
    {%- do return(none) -%}
{% endmacro %}


{% macro _end_rollback(opened, units) %}
    {%- set left = backfill_safety._load_units(opened.ledger, opened.run.run_id, backfill_safety._written_units_sql()) | length -%}
    {%- do backfill_safety._run([
        backfill_safety._engine('_begin_sql')(),
        backfill_safety._set_run_sql(opened.ledger, opened.run.run_id, {'state': 'rolled back' if left == 0
            else 'partly rolled back', 'finished_at': backfill_safety._now()},
            backfill_safety._while_leased_sql(opened.relation, invocation_id)),
        backfill_safety._release_lease_sql(opened.relation, invocation_id),
        'commit',
    ]) -%}
    {%- do print('undone    ' ~ units | length ~ ' units are as they were before the run' ~ ('; ' ~ left
        ~ ' units of it stay' if left else '')) -%}
{% endmacro %}
