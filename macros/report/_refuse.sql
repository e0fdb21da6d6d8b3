{#- One line that says what is wrong and what to write instead; nothing was written. -#}
{% macro _refuse(message) %}
    {%- do exceptions.raise_compiler_error('backfill_safety: ' ~ message) -%}
{% endmacro %}
