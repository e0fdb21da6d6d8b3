{#- Late data: bounded inputs whose rows in the window are no longer as many as when the plan counted them; [{name, rows, trouble}], where
    `rows` came (or went, below 0), and `trouble` is why that is not known. Empty where an engine's plan counts nothing; not asked
    where nobody else can write. -#}
{% macro _late_data(plan) %}
    {%- set late = [] -%}
    {%- for input in plan.inputs.values() if input.counted is defined -%}
        {%- set looked = backfill_safety._look(backfill_safety._bounded_rows_sql(plan, input)) -%}
        {%- set rows = looked.rows[0][0] - input.counted if looked.rows else 0 -%}
        {%- if rows or looked.trouble -%}
            {%- do late.append({'name': input.name, 'rows': rows, 'trouble': looked.trouble}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(late) -%}
{% endmacro %}
