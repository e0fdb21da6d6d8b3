{#- The rows of the units first … last, as a query in brackets. Groups that outgrow the processor's cache, and sorts that outgrow
    their memory, cost more than selects beside each other, which an engine's threads can share: so large units have one each. -#}
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


{#- How many units one select computes: a quarter of a million rows, or at least one unit. none, for all, where nobody knows how many
    they are, and where they read alike what is then read once for all of them: a table without bounds, or what a lookback covers. -#}
{% macro _units_in_select(plan) %}
    {%- if plan.read == 'once' or plan.estimate is none or not plan.estimate.get('rows') or plan.estimate.unbounded is not defined -%}
        {%- do return(none) -%}
    {%- endif -%}
    {%- set rows = plan.estimate.rows // plan.units -%}
    {%- for input in plan.inputs.values() if input.lookback or input.lookahead -%} {%- do return(none) -%} {%- endfor -%}
    {%- do return(none if plan.estimate.unbounded > rows else [250000 // ([rows, 1] | max), 1] | max) -%}
{% endmacro %}
