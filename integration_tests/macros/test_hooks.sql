{#- What the tests ask of the package's private macros, many cases in one dbt. -#}
{% macro call_macros(calls) %}
    {%- if not execute -%} {%- do return('') -%} {%- endif -%}
    {%- set answers = [] -%}
    {%- for call in calls -%}
        {%- do answers.append(context['backfill_safety'][call.macro](*call.arguments)) -%}
    {%- endfor -%}
    {%- do print(tojson(answers)) -%}
{% endmacro %}


{#- Bounds of windows: [{grain, timezone, column_kind, column_format, start, end}] → the bounds and the units' names. -#}
{% macro bounds_of(cases) %}
    {%- if not execute -%} {%- do return('') -%} {%- endif -%}
    {%- set answers = [] -%}
    {%- for case in cases -%}
        {%- set request = dict(case) -%}
        {%- do request.update({
            'start': backfill_safety._read_point('start', case.start, request),
            'end': backfill_safety._read_point('end', case.end, request),
        }) -%}
        {%- set bounds = backfill_safety._bounds(request) -%}
        {%- set names = [] -%}
        {%- for bound in bounds[:-1] -%} {%- do names.append(backfill_safety._unit_name(bound, request)) -%} {%- endfor -%}
        {%- do answers.append([bounds, names]) -%}
    {%- endfor -%}
    {%- do print(tojson(answers)) -%}
{% endmacro %}
