{#- The predicate of the units first … last (positions in the bounds, inclusive) on the target's column. -#}
{% macro _units_predicate(request, bounds, first, last) %}
    {%- set column = request.column_sql -%}
    {%- if request.grain == 'value' -%}
        {%- set literals = [] -%}
        {%- for value in bounds[first:last + 1] -%}
            {%- do literals.append(backfill_safety._literal(value, request.column_kind)) -%}
        {%- endfor -%}
        {%- do return(column ~ ' in (' ~ literals | join(', ') ~ ')' ~ request.where_sql) -%}
    {%- endif -%}
    {%- set head, tail = request.frame -%}
    {%- do return(
        column ~ ' >= ' ~ head ~ bounds[first] ~ tail ~ ' and ' ~ column ~ ' < ' ~ head ~ bounds[last + 1] ~ tail ~ request.where_sql
    ) -%}
{% endmacro %}


{#- A row's unit as its position in the bounds; the rows are known to lie in first … last. -#}
{% macro _unit_number(request, bounds, first, last) %}
    {%- if first == last -%} {%- do return(first | string) -%} {%- endif -%}
    {%- set arms = [] -%}
    {%- if request.grain == 'value' -%}
        {%- for value in bounds[first:last] -%}
            {%- set literal = backfill_safety._literal(value, request.column_kind) -%}
            {%- do arms.append(' when ' ~ request.column_sql ~ ' = ' ~ literal ~ ' then ' ~ (first + loop.index0)) -%}
        {%- endfor -%}
    {%- else -%}
        {%- set head = ' when ' ~ request.column_sql ~ ' < ' ~ request.frame[0] -%}
        {%- set tail = request.frame[1] ~ ' then ' -%}
        {%- for upper in bounds[first + 1:last + 1] -%}
            {%- do arms.append(head ~ upper ~ tail ~ (first + loop.index0)) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- do return('case' ~ arms | join ~ ' else ' ~ last ~ ' end') -%}
{% endmacro %}
