{#- Which columns are written: by name, in the target's spelling; then those that on_schema_change adds. Beside them the
    model's columns that are left out, and the target's that the model does not give. -#}
{% macro _plan_columns(request, sql) %}
    {%- set found = backfill_safety._query_columns(sql) -%}
    {%- set written = [] -%}
    {%- set only_target = [] -%}
    {%- for column in request.columns -%}
        {%- if backfill_safety._find_column(found, column.name) is none -%} {%- do only_target.append(column.name) -%}
        {%- else -%} {%- do written.append(column.name) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set added = [] -%}
    {%- for column in found if backfill_safety._find_column(request.columns, column.name) is none -%}
        {%- do added.append(column) -%}
    {%- endfor -%}
    {%- if request.column not in written -%}
        {%- do backfill_safety._refuse(
            'the SQL of ' ~ request.node.name ~ " gives no column '" ~ request.column ~ "'; name one of "
                ~ backfill_safety._name_list(found | map(attribute='name'))
        ) -%}
    {%- endif -%}
    {%- set adds = request.node.config.get('on_schema_change') in ['append_new_columns', 'sync_all_columns'] -%}
    {%- do return({
        'columns': written + (added | map(attribute='name') | list if adds else []),
        'added': added if adds else [],
        'ignored': [] if adds else added,
        'only_target': only_target,
    }) -%}
{% endmacro %}


{#- The columns that a query gives: [{name, data_type}]. -#}
{% macro _query_columns(sql) %}
    {%- do return(backfill_safety._engine('_query_columns')(sql)) -%}
{% endmacro %}


{% macro default___query_columns(sql) %}
    {%- do return(adapter.get_column_schema_from_query('select * from (\n' ~ sql ~ '\n) as backfill_rows where 1 = 0')) -%}
{% endmacro %}


{% macro duckdb___query_columns(sql) %}
    {%- set columns = [] -%}
    {%- for row in backfill_safety._fetch('describe ' ~ sql) -%}
        {%- do columns.append({'name': row[0], 'data_type': row[1]}) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{% endmacro %}
