{#- The work of one commit, up to the look at what it did: keep the old rows, delete, insert by name, compare. -#}
{% macro _commit_statements(plan, first, last, is_first) %}
    {%- set request = plan.request -%}
    {%- set relation = request.relation -%}
    {%- set predicate = backfill_safety._units_predicate(request, plan.bounds, first, last) -%}
    {%- set names = backfill_safety._quoted_names(plan.columns) | join(', ') -%}
    {%- set before = backfill_safety._before_relation(plan) -%}
    {%- set statements = ['begin'] -%}
    {%- if last > first -%} {%- do statements.append(backfill_safety._claim_sql(plan, first, last)) -%} {%- endif -%}
    {%- if not backfill_safety._holds_database_alone() -%}
        {%- do statements.append(backfill_safety._renew_lease_sql(relation, plan.holder)) -%}
    {%- endif -%}
    {%- if request.backup -%}
        {%- do statements.append('insert into ' ~ before ~ ' select * from ' ~ relation ~ ' where ' ~ predicate) -%}
    {%- else -%}
        {%- do statements.append('create or replace temporary table ' ~ before ~ ' as select * from ' ~ relation ~ ' where '
            ~ predicate) -%}
    {%- endif -%}
    {%- do statements.extend(backfill_safety._replace_sql(plan, first, last, predicate, names)) -%}
    {%- if request.expect.get('keep_missing') -%}
        {%- do statements.append(backfill_safety._keep_missing_sql(plan, before, predicate)) -%}
    {%- endif -%}
    {%- do statements.append(backfill_safety._facts_sql(plan, first, last, before, predicate)) -%}
    {%- do return(statements) -%}
{% endmacro %}


{#- Where the replaced rows lie while a commit is judged: the run's backup, or a temporary table where none is kept. -#}
{% macro _before_relation(plan) %}
    {%- if plan.request.backup -%}
        {%- do return(backfill_safety._run_table(plan.request.relation, 'backup', plan.run_id) | string) -%}
    {%- endif -%}
    {%- do return('backfill_safety_before_' ~ plan.run_id) -%}
{% endmacro %}


{#- One unit (or adjacent ones) replaced, inside the transaction that is open. -#}
{% macro _replace_sql(plan, first, last, predicate, names) %}
    {%- do return(adapter.dispatch('_replace_sql', 'backfill_safety')(plan, first, last, predicate, names)) -%}
{% endmacro %}


{% macro default___replace_sql(plan, first, last, predicate, names) %}
    {%- set relation = plan.request.relation -%}
    {%- if plan.read == 'once' -%}
        {%- set rows = backfill_safety._run_table(relation, 'rows', plan.run_id) | string -%}
    {%- else -%}
        {%- set rows = '(\n' ~ backfill_safety._unit_sql(plan, first, last) ~ '\n)' -%}
    {%- endif -%}
    {%- do return([
        'delete from ' ~ relation ~ ' where ' ~ predicate,
        plan.rendered.header ~ 'insert into ' ~ relation ~ ' (' ~ names ~ ') select ' ~ names ~ ' from ' ~ rows
            ~ ' as backfill_rows where ' ~ predicate,
    ]) -%}
{% endmacro %}


{% macro _keep_missing_sql(plan, before, predicate) %}
    {%- set request = plan.request -%}
    {%- do return(
        'insert into ' ~ request.relation ~ ' select * from ' ~ before ~ ' as b where ' ~ predicate
            ~ ' and not exists (select 1 from ' ~ request.relation
        ~ ' as t where ' ~ backfill_safety._same_keys_sql(request.key_columns, 't', 'b') ~ ' and '
            ~ backfill_safety._units_predicate(request, plan.bounds, 0, plan.slots - 1, 't.') ~ ')'
    ) -%}
{% endmacro %}


{#- Equality of keys in which two NULLs are the same. -#}
{% macro _same_keys_sql(keys, left, right) %}
    {%- set parts = [] -%}
    {%- for key in keys -%}
        {%- set a = left ~ '.' ~ adapter.quote(key) -%}
        {%- set b = right ~ '.' ~ adapter.quote(key) -%}
        {%- do parts.append(a ~ ' is not distinct from ' ~ b) -%}
    {%- endfor -%}
    {%- do return(parts | join(' and ')) -%}
{% endmacro %}
