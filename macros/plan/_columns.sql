{#- Which columns are written: by name, in the target's spelling; then those that on_schema_change adds. Beside them the
    model's columns that are left out, those that the target cannot hold, and the target's that the model does not give. -#}
{% macro _plan_columns(request, sql) %}
    {%- set found = backfill_safety._query_columns(sql) -%}
    {%- set written, only_target, new = [], [], [] -%}
    {%- for column in request.columns -%}
        {%- set names = written if backfill_safety._find_column(found, column.name) is not none else only_target -%}
        {%- do names.append(column.name) -%}
    {%- endfor -%}
    {%- for column in found if backfill_safety._find_column(request.columns, column.name) is none -%}
        {%- do new.append(column) -%}
    {%- endfor -%}
    {%- if request.column not in written -%}
        {%- do backfill_safety._refuse(
            'the SQL of ' ~ request.node.name ~ " gives no column '" ~ request.column ~ "'; name one of "
                ~ backfill_safety._name_list(found | map(attribute='name'))
        ) -%}
    {%- endif -%}
    {%- set adds = request.node.config.get('on_schema_change') in ['append_new_columns', 'sync_all_columns'] -%}
    {%- set added = new if adds else [] -%}
    {%- do return({
        'columns': written + added | map(attribute='name') | list,
        'added': added,
        'ignored': [] if adds else new,
        'only_target': only_target,
        'narrowed': backfill_safety._narrowed(request, found),
    }) -%}
{% endmacro %}


{#- How a table's columns have changed since it had these: {gone, new, words}; no words where they have not. -#}
{% macro _changed_columns(relation, names) %}
    {%- set now = adapter.get_columns_in_relation(relation) | map(attribute='name') | list -%}
    {%- set gone = names | reject('in', now) | list -%}
    {%- set new = now | reject('in', names) | list -%}
    {%- set words = (['gone: ' ~ gone | join(', ')] if gone else []) + (['new: ' ~ new | join(', ')] if new else []) -%}
    {%- do return({'gone': gone, 'new': new, 'words': words | join('; ')}) -%}
{% endmacro %}


{#- A run that goes on must find the columns that its backup has. -#}
{% macro _refuse_changed_columns(plan) %}
    {%- set request = plan.request -%}
    {%- if not request.backup -%} {%- do return(none) -%} {%- endif -%}
    {%- set backup = backfill_safety._run_table(request.relation, 'backup', plan.run_id) -%}
    {%- set kept = adapter.get_columns_in_relation(backup) | map(attribute='name') | list -%}
    {#- of a run that failed, cleanup_backfills may have dropped it -#}
    {%- if not kept -%}
        {%- do backfill_safety._refuse('the backup of run ' ~ plan.run_id ~ ' is gone (' ~ backup
            ~ '), so it cannot go on; leave run_id out for a new run') -%}
    {%- endif -%}
    {%- set changed = backfill_safety._changed_columns(request.relation, kept) -%}
    {%- if changed.words -%}
        {%- do backfill_safety._refuse('the columns of ' ~ request.relation ~ ' have changed since run ' ~ plan.run_id ~ ' began ('
            ~ changed.words ~ '), and its backup has the old ones; end it: '
            ~ "dbt run-operation cancel_backfill --args '{run_id: " ~ plan.run_id ~ "}', then ask again") -%}
    {%- endif -%}
{% endmacro %}


{#- The columns that a query gives: [{name, data_type}]. -#}
{% macro _query_columns(sql) %}
    {%- do return(backfill_safety._engine('_query_columns')(sql)) -%}
{% endmacro %}


{% macro default___query_columns(sql) %}
    {%- do return(adapter.get_column_schema_from_query('select * from (\n' ~ sql ~ '\n) as backfill_rows where 1 = 0')) -%}
{% endmacro %}


{#- As a subquery, where a name that is given twice is numbered as it is in a table: amount, amount_1. -#}
{% macro duckdb___query_columns(sql) %}
    {%- set columns = [] -%}
    {%- for row in backfill_safety._fetch('describe select * from (\n' ~ sql ~ '\n) as backfill_rows') -%}
        {%- do columns.append({'name': row[0], 'data_type': row[1]}) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{% endmacro %}
