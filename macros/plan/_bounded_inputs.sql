{#- What became of the declared inputs in the SQL of a unit: {inputs, whole}. `inputs` are those that bound something there, `whole` the ids
    of parents that are read without their bound: `.render()`, or a `ref` of the project's own, takes it off. -#}
{% macro _bounded_inputs(declared, rendering) %}
    {%- set inputs = {} -%}
    {%- set whole = [] -%}
    {%- set sql = backfill_safety._without_comments(rendering.sql, false) if declared else '' -%}
    {%- for id, input in declared.items() -%}
        {%- set parent = graph.nodes.get(id) or graph.sources[id] -%}
        {%- set table = backfill_safety._name_pattern(parent.get('identifier') or parent.alias) -%}
        {%- set bound = '(?i)select \\* from (?:(?:"[^"]*"|`[^`]*`|\\[[^]]*\\]|[\\w$-]+)\\.)*' ~ table ~ ' where '
            ~ modules.re.escape(input.column_sql) ~ ' ' -%}
        {%- set rest = modules.re.sub(bound, '', sql) -%}
        {%- if rest != sql -%} {%- do inputs.update({id: input}) -%} {%- endif -%}
        {#- beside a bound its bare name may be that of a CTE -#}
        {%- set schema = backfill_safety._name_pattern(parent.schema) ~ '\\.' if rest != sql else '' -%}
        {%- if modules.re.search('(?i)' ~ schema ~ table, rest) -%} {%- do whole.append(id) -%} {%- endif -%}
    {%- endfor -%}
    {%- do return({'inputs': inputs, 'whole': whole}) -%}
{% endmacro %}


{#- A name as SQL may have it, quoted or not, and not within a longer one. -#}
{% macro _name_pattern(name) %}
    {%- do return('(?<![\\w$])["`\\[]?' ~ modules.re.escape(name) ~ '["`\\]]?(?![\\w$])') -%}
{% endmacro %}
