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


{#- How many units one select computes, so that several stand beside each other in a commit; none for all of them. -#}
{% macro default___units_in_select(plan) %}
    {%- do return(none) -%}
{% endmacro %}


{#- As many as read so many rows, at least one; all of them where they read alike what is then read once for all: a table without
    bounds, or what a lookback covers. -#}
{% macro _units_of_rows(plan, most) %}
    {%- if plan.read == 'once' or not plan.estimate -%} {%- do return(none) -%} {%- endif -%}
    {%- set rows = plan.estimate.rows // plan.units -%}
    {%- for input in plan.inputs.values() if input.lookback or input.lookahead -%} {%- do return(none) -%} {%- endfor -%}
    {%- do return(none if plan.estimate.unbounded > rows else [most // ([rows, 1] | max), 1] | max) -%}
{% endmacro %}
