{#- The parent by which a microbatch that nothing cuts could be cut, and its column: {name, column}; none where no parent has a date or a
    time. A column of the partition column's own name goes before others. -#}
{% macro _boundable(plan) %}
    {%- set others = [] -%}
    {%- for parent in backfill_safety._readable_parents(plan.request.node) if parent.unique_id not in plan.declared -%}
        {%- set relation = adapter.get_relation(parent.database, parent.schema, parent.get('identifier') or parent.alias) -%}
        {%- for column in adapter.get_columns_in_relation(relation) if relation is not none
            and backfill_safety._column_kind(column.data_type) in ['date', 'timestamp', 'timestamptz'] -%}
            {%- set found = {'name': backfill_safety._parent_names(parent)[0], 'column': column.name} -%}
            {%- if column.name | lower == plan.request.column | lower -%} {%- do return(found) -%} {%- endif -%}
            {%- do others.append(found) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(others | first if others else none) -%}
{% endmacro %}
