{#- Every pending unit where an engine has no transactions, one by one. A unit's rows are computed into a table of the run's own
    and judged there; the old rows are copied into the backup; the ledger says that the unit is under way; then it is
    overwritten, looked at, and recorded. A unit that a killed run left under way is done again, whatever is left of
    it: its old rows are those of the backup. -#}
{% macro _commit_staged(plan, tally) %}
    {%- set request = plan.request -%}
    {%- set pending = backfill_safety._pending(plan) -%}
    {%- do tally.update({'total': plan.units, 'done': plan.units - pending | length}) -%}
    {%- do plan.update({'entries': backfill_safety._unit_entries(plan), 'renewed': backfill_safety._clock()}) -%}
    {%- set stage = backfill_safety._run_table(request.relation, 'rows', plan.run_id) -%}
    {%- if plan.read == 'per_unit' -%}
        {%- do backfill_safety._run(backfill_safety._engine('_create_stage_sql')(stage, request.relation)) -%}
    {%- endif -%}
    {%- for position in pending if tally.stopped is none -%}
        {%- set began = backfill_safety._clock() -%}
        {%- set was_begun = plan.entries[position].state == 'running' -%}
        {%- set verdict = backfill_safety._replace_staged(plan, stage, position, was_begun) -%}
        {%- if verdict.ok -%}
            {%- do backfill_safety._tally_commit(plan, tally, verdict.facts, backfill_safety._seconds_since(began)) -%}
            {%- do backfill_safety._release(tally) -%}
        {%- else -%}
            {#- a unit that was under way stays so: its old rows are in the backup alone; and one whose lease is lost is another's -#}
            {%- if not verdict.get('lost') -%}
                {%- do backfill_safety._run([backfill_safety._set_unit_sql(request.relation, plan.run_id, position,
                    {'state': 'running', 'message': verdict.message} if was_begun or verdict.written
                    else backfill_safety._refused_unit(verdict, backfill_safety._seconds_since(began)))]) -%}
            {%- endif -%}
            {%- do backfill_safety._tally_refusal(plan, tally, position, verdict) -%}
        {%- endif -%}
        {%- if request.pause_seconds > 0 and not loop.last and tally.stopped is none -%}
            {%- do backfill_safety._flush(tally) -%}
            {%- do backfill_safety._rest(request.pause_seconds) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do backfill_safety._flush(tally) -%}
    {%- if plan.read == 'per_unit' -%} {%- do backfill_safety._run(['drop table if exists ' ~ stage]) -%} {%- endif -%}
{% endmacro %}


{#- {ok, facts}, or {ok, state, message, written}: whether the unit was overwritten all the same. -#}
{% macro _replace_staged(plan, stage, position, was_begun) %}
    {%- set request = plan.request -%}
    {%- set relation = request.relation -%}
    {%- set began = backfill_safety._clock() -%}
    {%- set backup = backfill_safety._run_table(relation, 'backup', plan.run_id) -%}
    {%- set predicate = backfill_safety._units_predicate(request, plan.bounds, position, position) -%}
    {%- set look = backfill_safety._look_script(plan, stage | string, (backup if was_begun else relation) | string) -%}
    {%- do plan.update({'script': look}) -%}
    {%- set rows = backfill_safety._run(backfill_safety._engine('_see_others_sql')(relation)
        + backfill_safety._filled(look.statements, plan, position, position)) -%}
    {%- set facts = backfill_safety._facts(plan, rows, [position]) -%}
    {%- set verdict = backfill_safety._judge(dict(plan, seen=none) if was_begun else plan, facts) -%}
    {%- if not verdict.ok -%} {%- do return(dict(verdict, written=false)) -%} {%- endif -%}
    {%- set unit = facts[0] -%}
    {%- set parts = backfill_safety._engine('_unit_partitions')(relation, [stage, relation, backup], predicate, request.column_sql) -%}
    {%- if not was_begun -%}
        {%- do backfill_safety._run(backfill_safety._engine('_overwrite_sql')(backup, relation, parts, 1)) -%}
        {%- if backfill_safety._held_rows(backup, plan.columns, predicate) != [unit.rows_before, unit.checksum_before] -%}
            {%- do return({'ok': false, 'state': 'planned', 'written': false,
                'message': 'was not written: it changed while it was copied into the backup; ask again when nobody writes to it'}) -%}
        {%- endif -%}
    {%- endif -%}
    {%- do return(dict(backfill_safety._engine('_replace_and_record')(plan, unit, stage, parts, predicate, began), facts=facts)) -%}
{% endmacro %}


{#- The overwrite and the ledger's entries around it; {ok} or the verdict that it does not stand. -#}
{% macro default___replace_and_record(plan, unit, stage, parts, predicate, began) %}
    {%- set relation = plan.request.relation -%}
    {%- do backfill_safety._run(backfill_safety._renewal(plan) + [backfill_safety._unit_entry_sql(plan, unit, 'running', began)]
        + backfill_safety._engine('_overwrite_sql')(relation, stage, parts, 0)) -%}
    {%- if backfill_safety._held_rows(relation, plan.columns, predicate) != [unit.rows_after, unit.checksum_after] -%}
        {%- do return({'ok': false, 'state': 'failed', 'written': true,
            'message': 'does not hold what was computed for it: somebody else writes to it; undo the run, or ask again by its run_id'}) -%}
    {%- endif -%}
    {%- do backfill_safety._run([backfill_safety._unit_entry_sql(plan, unit, 'done', began)]) -%}
    {%- do return({'ok': true}) -%}
{% endmacro %}


{#- The pieces in which a unit is overwritten: the unit itself, where one statement replaces what a predicate names. -#}
{% macro default___unit_partitions(relation, tables, predicate, column) %}
    {%- do return([{'predicate': predicate, 'column': column}]) -%}
{% endmacro %}


{#- The rows of a unit into the stage, where they are not there already, and the look at them beside the old ones. -#}
{% macro _look_script(plan, stage, before) %}
    {%- set marks = backfill_safety._marks() -%}
    {%- set names = backfill_safety._quoted_names(plan.columns) | join(', ') -%}
    {%- set statements = [] if plan.read == 'once' else backfill_safety._engine('_fill_stage_sql')(
        stage, names, 'select ' ~ names ~ ' from ' ~ marks.rows ~ ' as backfill_rows where ' ~ marks.predicate) -%}
    {%- do return({
        'marks': marks,
        'statements': statements + [backfill_safety._facts_sql(plan, before, stage, marks)],
        'key_facts': backfill_safety._key_facts_sql(plan, before, stage, marks) if plan.request.key_columns else none,
    }) -%}
{% endmacro %}


{#- [number of rows, checksum] of a unit in a table. -#}
{% macro _held_rows(table, columns, predicate) %}
    {%- do return(backfill_safety._fetch('select count(*), ' ~ backfill_safety._checksum_of(backfill_safety._quoted_names(columns))
        ~ ' from ' ~ table ~ ' where ' ~ predicate)[0] | list) -%}
{% endmacro %}


{#- The lease is renewed once a minute: each renewal is a row, and often a file, more. -#}
{% macro _renewal(plan) %}
    {%- if backfill_safety._seconds_since(plan.renewed) < 60 -%} {%- do return([]) -%} {%- endif -%}
    {%- do plan.update({'renewed': backfill_safety._clock()}) -%}
    {%- do return([backfill_safety._renew_lease_sql(plan.request.relation, plan.holder)]) -%}
{% endmacro %}


{#- An empty table for the rows of one unit at a time. -#}
{% macro default___create_stage_sql(stage, relation) %}
    {%- do return(['drop table if exists ' ~ stage] + backfill_safety._engine('_create_like_sql')(stage, '*', relation)) -%}
{% endmacro %}


{#- Statements after which the stage holds the rows of a query and no others. -#}
{% macro default___fill_stage_sql(stage, names, query) %}
    {%- do return(['insert overwrite table ' ~ stage ~ ' (' ~ names ~ ') ' ~ query]) -%}
{% endmacro %}


{#- Statements after which a session sees what others have written. -#}
{% macro default___see_others_sql(relation) %}
    {%- do return([]) -%}
{% endmacro %}
