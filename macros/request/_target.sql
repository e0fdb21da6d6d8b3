{#- The model's table as the warehouse has it; refuses where it is missing. -#}
{% macro _find_target(node) %}
    {%- set relation = adapter.get_relation(node.database, node.schema, node.alias or node.name) -%}
    {%- if relation is none or relation.is_view -%} {%- do backfill_safety._refuse_target(node, relation) -%} {%- endif -%}
    {%- do return(relation) -%}
{% endmacro %}


{% macro _refuse_target(node, relation) %}
    {%- set problem = 'the table of ' ~ node.name ~ ' does not exist (' ~ node.relation_name ~ '); build it first' if relation is none
        else relation ~ ' is a view in the warehouse; drop it and build the table first' -%}
    {%- do backfill_safety._refuse(problem ~ ': dbt run --select ' ~ node.name) -%}
{% endmacro %}


{#- A column of a list by its name, letter case aside; none where it is missing. -#}
{% macro _find_column(columns, name) %}
    {%- for column in columns if column.name == name -%} {%- do return(column) -%} {%- endfor -%}
    {%- for column in columns if column.name | lower == name | lower | replace('"', '') | replace('`', '') -%}
        {%- do return(column) -%}
    {%- endfor -%}
    {%- do return(none) -%}
{% endmacro %}


{#- Names as a sentence's list, cut where it gets long. -#}
{% macro _name_list(names) %}
    {%- set shown = names | list -%}
    {%- do return(shown[:12] | join(', ') ~ (', … (' ~ shown | length ~ ' in all)' if shown | length > 12 else '')) -%}
{% endmacro %}


{#- The column that `column`, meta, `event_time` or a single `partition_by` names. -#}
{% macro _partition_column(given, node, relation, columns) %}
    {%- set name = given or backfill_safety._meta_setting(node, 'column') or node.config.get('event_time') -%}
    {%- if not name and node.config.get('partition_by') -%} {%- set name = backfill_safety._single_partition(node) -%} {%- endif -%}
    {%- set column = backfill_safety._find_column(columns, name) if name else none -%}
    {%- if column is none -%}
        {%- set problem = relation ~ " has no column '" ~ name ~ "'" if name else 'column is missing: ' ~ node.name
            ~ ' has no meta.backfill_safety.column, event_time or single partition_by' -%}
        {%- do backfill_safety._refuse(problem ~ '; write column: with one of '
            ~ backfill_safety._name_list(columns | map(attribute='name'))) -%}
    {%- endif -%}
    {%- do return(column) -%}
{% endmacro %}


{% macro _single_partition(node) %}
    {%- set names = backfill_safety._partition_names(node) -%}
    {%- do return(names[0] if names | length == 1 else none) -%}
{% endmacro %}
