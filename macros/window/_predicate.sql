{#- The predicate of the units first … last (positions in the bounds, inclusive) on the target's column. -#}
{% macro _units_predicate(request, bounds, first, last) %}
    {%- set column = request.column_sql -%}
    {%- if request.grain == 'value' -%}
        {%- do return(column ~ ' in (' ~ backfill_safety._literals(bounds[first:last + 1], request.column_kind) | join(', ') ~ ')'
            ~ request.where_sql) -%}
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
    {%- if request.grain == 'value' -%} {%- do return(backfill_safety._value_number(request, bounds, first, last)) -%} {%- endif -%}
    {%- set head = ' when ' ~ request.column_sql ~ ' < ' ~ request.frame[0] -%}
    {%- set tail = request.frame[1] ~ ' then ' -%}
    {%- set arms = [] -%}
    {%- for block in range(first, last + 1) | batch(8) -%}
        {%- set end = block.pop() -%}
        {%- set inner = [] -%}
        {%- for position in block -%} {%- do inner.append(head ~ bounds[position + 1] ~ tail ~ position) -%} {%- endfor -%}
        {%- set unit = 'case' ~ inner | join ~ ' else ' ~ end ~ ' end' if inner else end -%}
        {%- if end == last -%} {%- do return('case' ~ arms | join ~ ' else ' ~ unit ~ ' end' if arms else unit) -%} {%- endif -%}
        {%- do arms.append(head ~ bounds[end + 1] ~ tail ~ unit) -%}
    {%- endfor -%}
{% endmacro %}


{% macro _value_number(request, bounds, first, last) %}
    {%- set arms = [] -%}
    {%- for literal in backfill_safety._literals(bounds[first:last], request.column_kind) -%}
        {%- do arms.append(' when ' ~ request.column_sql ~ ' = ' ~ literal ~ ' then ' ~ (first + loop.index0)) -%}
    {%- endfor -%}
    {%- do return('case' ~ arms | join ~ ' else ' ~ last ~ ' end') -%}
{% endmacro %}
