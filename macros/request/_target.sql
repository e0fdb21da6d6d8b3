{#- The model's table as the warehouse has it; refuses where it is missing. -#}
{% macro _find_target(node) %}
    {%- set relation = adapter.get_relation(node.database, node.schema, node.alias or node.name) -%}
    {%- if relation is none -%}
        {%- do backfill_safety._refuse(
            'the table of ' ~ node.name ~ ' does not exist (' ~ node.relation_name ~ '); build it first: dbt run --select ' ~ node.name
        ) -%}
    {%- elif relation.is_view -%}
        {%- do backfill_safety._refuse(
            relation ~ ' is a view in the warehouse; drop it and build the table first: dbt run --select ' ~ node.name
        ) -%}
    {%- endif -%}
    {%- do return(relation) -%}
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
    {%- set partitions = backfill_safety._partition_names(node) if node.config.get('partition_by') else [] -%}
    {%- set single = partitions[0] if partitions | length == 1 else none -%}
    {%- set name = given or backfill_safety._meta_setting(node, 'column') or node.config.get('event_time') or single -%}
    {%- set names = columns | map(attribute='name') | list -%}
    {%- if not name -%}
        {%- do backfill_safety._refuse(
            'column is missing: ' ~ node.name
                ~ ' has no meta.backfill_safety.column, event_time or single partition_by; write column: with one of '
            ~ backfill_safety._name_list(names)
        ) -%}
    {%- endif -%}
    {%- set column = backfill_safety._find_column(columns, name) -%}
    {%- if column is none -%}
        {%- do backfill_safety._refuse(
            relation ~ " has no column '" ~ name ~ "'; write column: with one of " ~ backfill_safety._name_list(names)
        ) -%}
    {%- endif -%}
    {%- do return(column) -%}
{% endmacro %}
