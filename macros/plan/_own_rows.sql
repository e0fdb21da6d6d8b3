{#- Where a model reads its own table. -#}

{#- Whether SQL reads a relation, however much of its name is written: not where a comment or a text names it, nor where a longer name
    holds its own, as unquoted ones may. -#}
{% macro _names_relation(sql, relation) %}
    {%- set text = backfill_safety._without_comments(sql, false) | replace('"', '') | replace('`', '') -%}
    {%- do return(modules.re.search('(?i)' ~ backfill_safety._relation_pattern(relation), text) is not none) -%}
{% endmacro %}


{#- On the live branch `this` is the table as it stood before the unit. What names it otherwise reads all of it, the unit's own rows among
    them, and no cut can be put there. -#}
{% macro _refuse_own_name(plan, rendering) %}
    {%- set request = plan.request -%}
    {%- if plan.branch != 'live' or request.grain == 'value' -%} {%- do return(none) -%} {%- endif -%}
    {%- set column = modules.re.escape(request.column_sql | replace('"', '') | replace('`', '')) -%}
    {%- set cut = '(?i)select \\* from ' ~ backfill_safety._relation_pattern(request.relation) ~ ' where ' ~ column ~ ' < ' -%}
    {%- for sql in [rendering.sql] + rendering.queries -%}
        {%- set rest = modules.re.sub(cut, '', sql | replace('"', '') | replace('`', '')) -%}
        {%- if backfill_safety._names_relation(rest, request.relation) -%}
            {%- do backfill_safety._refuse('branch: live cannot be used: ' ~ request.node.name ~ ' names its own table otherwise than by '
                ~ 'this, and so would read the rows of the unit and after it; write this alone there, or branch: first') -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}
