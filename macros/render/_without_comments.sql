{#- SQL as it is looked at: without its comments, which may name anything, and where asked with its texts emptied as well. What looks
    like a comment inside of a text or a quoted name is none; where a backslash escapes, the engine's own quoting doubles it. -#}
{% macro _without_comments(sql, keeps_texts=true) %}
    {%- set inside = '[^\'\\\\]|\\\\.' if backfill_safety._quoted('\\').count('\\') > 1 else '[^\']' -%}
    {%- set texts = "'(?:" ~ inside ~ "|'')*'" ~ '|\\$(?:[a-z_]\\w*)?\\$.*?\\$(?:[a-z_]\\w*)?\\$' -%}
    {%- set parts = [] -%}
    {#- every second part is a text or a name as it stands, or none for a comment -#}
    {%- for part in modules.re.split('(?is)(' ~ texts ~ '|"(?:[^"]|"")*"|`[^`]*`)|--[^\\n]*|/\\*.*?\\*/', sql) -%}
        {%- set is_text = loop.index0 % 2 and part and part[0] in "'$" -%}
        {%- do parts.append(' ' if part is none else ("''" if is_text and not keeps_texts else part)) -%}
    {%- endfor -%}
    {%- do return(parts | join) -%}
{% endmacro %}
