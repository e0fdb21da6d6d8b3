{#- The rows of the units first … last, as a query in brackets: one select, or several beside each other. -#}
{% macro _rows_of_units(plan, first, last) %}
    {%- set size = plan.get('units_in_select') or last - first + 1 -%}
    {%- if last - first < size -%} {%- do return('(\n' ~ backfill_safety._unit_sql(plan, first, last) ~ '\n)') -%} {%- endif -%}
    {%- set selects = [] -%}
    {%- for units in range(first, last + 1) | batch(size) -%}
        {%- do selects.append('select * from (\n' ~ backfill_safety._unit_sql(plan, units[0], units[-1]) ~ '\n) as unit_rows where '
            ~ backfill_safety._units_predicate(plan.request, plan.bounds, units[0], units[-1])) -%}
    {%- endfor -%}
    {%- do return('(\n' ~ selects | join('\nunion all\n') ~ '\n)') -%}
{% endmacro %}


{#- How many units one select computes; none for all of them. -#}
{% macro default___units_in_select(plan) %}
    {%- do return(none) -%}
{% endmacro %}
