{#- The work of one commit, up to the look at what it did: keep the old rows, delete, insert by name, compare. It is the same
    for every commit but for a few places, so it is written once, with marks in these places. -#}
{% macro _commit_script(plan) %}
    {%- set request = plan.request -%}
    {%- set relation = request.relation -%}
    {%- set marks = backfill_safety._marks() -%}
    {%- set before = backfill_safety._before_relation(plan) -%}
    {#- by name: a live run that builds the table anew meanwhile may put its columns in another order -#}
    {%- set kept = backfill_safety._quoted_names(backfill_safety._columns_with_added(plan)) | join(', ') -%}
    {%- set old_rows = 'select ' ~ kept ~ ' from ' ~ relation ~ ' where ' ~ marks.predicate -%}
    {%- set statements = [] -%}
    {%- if not backfill_safety._holds_database_alone() -%}
        {%- do statements.extend(backfill_safety._engine('_before_commit_sql')(relation)) -%}
        {%- do statements.append(backfill_safety._renew_lease_sql(relation, plan.holder) if request.worker is none
            else backfill_safety._hold_lease_sql(relation, plan.holder)) -%}
    {%- endif -%}
    {%- set replaced = backfill_safety._engine('_replace_sql')(plan, marks) -%}
    {#- what a trigger or a policy keeps is counted beside a copy: _delete_all_step -#}
    {%- set keeps = plan.get('attached', []) | map('first') | select('in', ['trigger', 'policy']) | list -%}
    {%- set moves = request.backup and not keeps and backfill_safety._engine('_returns_deleted')(plan.get('attached', [])) -%}
    {%- if moves -%}
        {%- do statements.append('with gone as (' ~ replaced[0] ~ ' returning ' ~ kept ~ ') insert into ' ~ before ~ ' (' ~ kept
            ~ ') select ' ~ kept ~ ' from gone') -%}
    {%- elif request.backup -%}
        {#- an earlier try that looked ahead may have kept rows of units that it did not replace -#}
        {%- if plan.resumed is not none and backfill_safety._holds_database_alone() -%}
            {%- do statements.append('delete from ' ~ before ~ ' where ' ~ marks.predicate) -%}
        {%- endif -%}
        {%- do statements.append('insert into ' ~ before ~ ' (' ~ kept ~ ') ' ~ old_rows) -%}
    {%- else -%}
        {%- do statements.extend(['drop table if exists ' ~ before, 'create temporary table ' ~ before ~ ' as ' ~ old_rows]) -%}
    {%- endif -%}
    {%- do statements.extend(replaced[1:] if moves else replaced) -%}
    {%- if request.expect.get('keep_missing') -%}
        {%- do statements.append(backfill_safety._keep_missing_sql(plan, before, marks)) -%}
    {%- endif -%}
    {%- if plan.get('attached', []) | selectattr(0, 'equalto', 'deferred') | list -%}
        {%- do statements.extend(backfill_safety._engine('_check_now_sql')()) -%}
    {%- endif -%}
    {%- do statements.append(backfill_safety._facts_sql(plan, before, relation | string, marks)) -%}
    {%- do return({
        'marks': marks,
        'statements': statements,
        'claim': backfill_safety._claim_sql(plan, marks),
        'key_facts': backfill_safety._key_facts_sql(plan, before, relation | string, marks) if request.key_columns else none,
    }) -%}
{% endmacro %}


{#- What stands in the script where a commit's own values go. No argument may hold such a text, nor may a model's SQL. -#}
{% macro _marks() %}
    {%- do return({
        'predicate': '__backfill_safety_predicate__',
        'unit': '__backfill_safety_unit__',
        'rows': '__backfill_safety_rows__',
        'first': '__backfill_safety_first__',
        'last': '__backfill_safety_last__',
        'group': '__backfill_safety_group__',
    }) -%}
{% endmacro %}


{#- The script of the units first … last. Joined units are marked as begun in the same transaction, so that whoever comes
    after a crash knows that they were joined. -#}
{% macro _commit_statements(plan, first, last) %}
    {%- set statements = plan.script.statements -%}
    {%- if last > first -%} {%- set statements = [plan.script.claim] + statements -%} {%- endif -%}
    {%- do return(backfill_safety._filled(statements, plan, first, last)) -%}
{% endmacro %}


{#- Statements with the values of the units first … last in the places that are marked. -#}
{% macro _filled(statements, plan, first, last) %}
    {%- set marks = plan.script.marks -%}
    {%- set predicate = backfill_safety._units_predicate(plan.request, plan.bounds, first, last) -%}
    {%- set unit = backfill_safety._unit_number(plan.request, plan.bounds, first, last) if last > first else first -%}
    {%- set rows = backfill_safety._rows_of_units(plan, first, last) if marks.rows in statements | join else '' -%}
    {%- set filled = [] -%}
    {%- for statement in statements -%}
        {%- do filled.append(
            statement | replace(marks.first, first) | replace(marks.last, last) | replace(marks.unit, unit)
            | replace(marks.group, ' group by 2' if last > first else '') | replace(marks.predicate, predicate) | replace(marks.rows, rows)
        ) -%}
    {%- endfor -%}
    {%- do return(filled) -%}
{% endmacro %}


{#- Where the replaced rows lie while a commit is judged: the run's backup, or a temporary table where none is kept. -#}
{% macro _before_relation(plan) %}
    {%- if plan.request.backup -%}
        {%- do return(backfill_safety._run_table(plan.request.relation, 'backup', plan.run_id) | string) -%}
    {%- endif -%}
    {%- do return('backfill_safety_before_' ~ plan.run_id) -%}
{% endmacro %}


{#- One unit (or adjacent ones) replaced, inside the transaction that is open. -#}
{% macro default___replace_sql(plan, marks) %}
    {%- set relation = plan.request.relation -%}
    {%- set names = backfill_safety._quoted_names(plan.columns) | join(', ') -%}
    {%- set rows = backfill_safety._run_table(relation, 'rows', plan.run_id) if plan.read == 'once' else marks.rows -%}
    {%- do return([
        'delete from ' ~ relation ~ ' where ' ~ marks.predicate,
        plan.rendered.header ~ 'insert into ' ~ relation ~ ' (' ~ names ~ ') select ' ~ names ~ ' from ' ~ rows
        ~ ' as backfill_rows where ' ~ marks.predicate,
    ]) -%}
{% endmacro %}


{#- All columns of the target, those that the run adds among them. -#}
{% macro _columns_with_added(plan) %}
    {%- do return(plan.request.columns | map(attribute='name') | list + plan.added | map(attribute='name') | list) -%}
{% endmacro %}


{% macro _keep_missing_sql(plan, before, marks) %}
    {%- set request = plan.request -%}
    {%- set generated = backfill_safety._engine('_generated_columns')(request.relation) -%}
    {%- set names = backfill_safety._quoted_names(backfill_safety._columns_with_added(plan) | reject('in', generated)) | join(', ') -%}
    {%- do return(
        'insert into ' ~ request.relation ~ ' (' ~ names ~ ')' ~ backfill_safety._engine('_as_they_were')() ~ ' select ' ~ names ~ ' from '
        ~ before ~ ' as b where ' ~ marks.predicate
        ~ ' and not exists (select 1 from (select * from ' ~ request.relation ~ ' where ' ~ marks.predicate ~ ') as t where '
        ~ backfill_safety._same_keys_sql(request.key_columns, 't', 'b') ~ ')'
    ) -%}
{% endmacro %}


{#- Equality of keys in which two NULLs are the same. -#}
{% macro _same_keys_sql(keys, left, right) %}
    {%- set parts = [] -%}
    {%- for key in keys -%}
        {%- do parts.append(left ~ '.' ~ backfill_safety._quote(key) ~ ' is not distinct from ' ~ right ~ '.'
            ~ backfill_safety._quote(key)) -%}
    {%- endfor -%}
    {%- do return(parts | join(' and ')) -%}
{% endmacro %}
