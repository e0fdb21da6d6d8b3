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


{#- A row's unit as its position in the bounds; the rows are known to lie in first … last. Dozens of units are told apart by
    blocks first, so that a row is compared a few times and not with every bound. -#}
{% macro _unit_number(request, bounds, first, last) %}
    {%- if first == last -%} {%- do return(first | string) -%} {%- endif -%}
    {%- if request.grain == 'value' -%}
        {%- set arms = [] -%}
        {%- for value in bounds[first:last] -%}
            {%- set literal = backfill_safety._literal(value, request.column_kind) -%}
            {%- do arms.append(' when ' ~ request.column_sql ~ ' = ' ~ literal ~ ' then ' ~ (first + loop.index0)) -%}
        {%- endfor -%}
        {%- do return('case' ~ arms | join ~ ' else ' ~ last ~ ' end') -%}
    {%- endif -%}
    {%- set head = ' when ' ~ request.column_sql ~ ' < ' ~ request.frame[0] -%}
    {%- set tail = request.frame[1] ~ ' then ' -%}
    {%- set blocks = [] -%}
    {%- for block in range(first, last + 1) | batch(8) -%}
        {%- set arms = [] -%}
        {%- for position in block[:-1] -%} {%- do arms.append(head ~ bounds[position + 1] ~ tail ~ position) -%} {%- endfor -%}
        {%- set unit = 'case' ~ arms | join ~ ' else ' ~ block[-1] ~ ' end' if arms else block[-1] -%}
        {%- do blocks.append(unit if block[-1] == last else head ~ bounds[block[-1] + 1] ~ tail ~ unit) -%}
    {%- endfor -%}
    {%- do return(blocks[0] if blocks | length == 1 else 'case' ~ blocks[:-1] | join ~ ' else ' ~ blocks[-1] ~ ' end') -%}
{% endmacro %}
