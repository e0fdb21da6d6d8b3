{#- Vars that are given per unit. -#}
{% macro _has_unit_vars(plan) %}
    {%- set text = plan.request['vars'] | string -%}
    {%- do return('{start}' in text or '{end}' in text) -%}
{% endmacro %}


{#- '{start}' and '{end}' of a var, or of what a list or mapping holds, as the unit's ends in the request's zone: a day alone, or a
    timestamp below the day. -#}
{% macro _fill_var(value, plan, unit) %}
    {%- if unit is none -%} {%- do return(value) -%} {%- endif -%}
    {%- set shape = backfill_safety._shape_of(value) -%}
    {%- if shape == 'mapping' -%}
        {%- set filled = {} -%}
        {%- for name, inner in value.items() -%}
            {%- do filled.update({name: backfill_safety._fill_var(inner, plan, unit)}) -%}
        {%- endfor -%}
        {%- do return(filled) -%}
    {%- elif shape == 'list' -%}
        {%- set filled = [] -%}
        {%- for inner in value -%} {%- do filled.append(backfill_safety._fill_var(inner, plan, unit)) -%} {%- endfor -%}
        {%- do return(filled) -%}
    {%- elif shape != 'text' -%} {%- do return(value) -%}
    {%- endif -%}
    {%- set request = plan.request -%}
    {%- set ends = [] -%}
    {%- for text in [unit[0], unit[-1]] -%}
        {%- if request.grain == 'value' or request.grain is number -%} {%- do ends.append(text | string) -%}
        {%- else -%} {%- do ends.append(backfill_safety._point_text(backfill_safety._bound_time(text, request))) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(value | replace('{start}', ends[0]) | replace('{end}', ends[1])) -%}
{% endmacro %}
