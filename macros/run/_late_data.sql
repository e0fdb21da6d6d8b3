{#- Late data: bounded inputs whose rows in the window are no longer as many as when the plan counted them; [{name, rows}], where
    `rows` came (or went, below 0). Empty where nobody else can write, and where an engine's plan counts nothing. -#}
{% macro _late_data(plan) %}
    {%- if backfill_safety._holds_database_alone() -%} {%- do return([]) -%} {%- endif -%}
    {%- set late = [] -%}
    {%- for input in plan.inputs.values() if input.counted is defined -%}
        {%- set rows = backfill_safety._bounded_rows(plan, input) - input.counted -%}
        {%- if rows -%} {%- do late.append({'name': input.name, 'rows': rows}) -%} {%- endif -%}
    {%- endfor -%}
    {%- do return(late) -%}
{% endmacro %}
