{#- `where: {tenant: 7, country: [DE, AT]}` → a predicate on key or partition columns; narrows delete and insert alike. -#}
{% macro _where_setting(where, node, columns, request) %}
    {%- set parts = [] -%}
    {%- set keys = backfill_safety._key_names(node) + [request.column] + backfill_safety._partition_names(node) -%}
    {%- set allowed = keys | map('lower') | list -%}
    {%- for name, wanted in (where or {}).items() -%}
        {%- set column = backfill_safety._find_column(columns, name | string) -%}
        {%- if column is none or column.name | lower not in allowed -%}
            {%- do backfill_safety._refuse(
                "where names '" ~ name ~ "', which is no key or partition column of " ~ node.name ~ "; write one of "
                    ~ keys | unique | join(', ')
            ) -%}
        {%- endif -%}
        {%- set kind = backfill_safety._column_kind(column.data_type) -%}
        {%- set values = [] -%}
        {%- for value in (wanted if backfill_safety._shape_of(wanted) == 'list' else [wanted]) -%}
            {%- if backfill_safety._shape_of(value) not in ['text', 'number', 'date'] -%}
                {%- do backfill_safety._refuse("where: " ~ name ~ " takes a value or a list of values, not " ~ value) -%}
            {%- endif -%}
            {%- if kind == 'integer' -%} {%- set value = backfill_safety._read_integer('where: ' ~ name, value) -%} {%- endif -%}
            {%- if kind == 'date' -%}
                {%- set value = backfill_safety._point_text(backfill_safety._read_time('where: ' ~ name, value, 'UTC', false)) -%}
            {%- endif -%}
            {%- if kind in ['other', 'timestamp', 'timestamptz'] -%}
                {%- do backfill_safety._refuse('where: ' ~ name ~ ' is of type ' ~ column.data_type
                    ~ '; only text, integer and date columns narrow a window') -%}
            {%- endif -%}
            {%- do values.append(backfill_safety._literal(value, kind)) -%}
        {%- endfor -%}
        {%- if not values -%}
            {%- do backfill_safety._refuse('where: ' ~ name ~ ' is an empty list; write at least one value') -%}
        {%- endif -%}
        {%- do parts.append(' and ' ~ backfill_safety._quote(column.name) ~ ' in (' ~ values | join(', ') ~ ')') -%}
    {%- endfor -%}
    {%- do return(parts | join) -%}
{% endmacro %}


{#- The columns of the model's `unique_key`; none for a key that is an expression. -#}
{% macro _key_names(node) %}
    {%- set key = node.config.get('unique_key') or [] -%}
    {%- set names = [key] if key is string else key | list -%}
    {%- do return(names) -%}
{% endmacro %}


{#- The columns that the model's `partition_by` is about. -#}
{% macro _partition_names(node) %}
    {%- set names = [] -%}
    {%- set declared = node.config.get('partition_by') or [] -%}
    {%- for item in (declared if declared is iterable and declared is not mapping and declared is not string else [declared]) -%}
        {%- do names.extend([item.get('field')] if item is mapping else backfill_safety._engine('_partitioned_columns')(item)) -%}
    {%- endfor -%}
    {%- do return(names) -%}
{% endmacro %}


{#- The columns of one item of it, where an engine takes expressions there. -#}
{% macro default___partitioned_columns(text) %}
    {%- do return([text]) -%}
{% endmacro %}
