{#- Whether this model is being rendered by safe_backfill; documented in macros.yml. -#}
{% macro is_backfill() %}
    {%- do return(context.get('backfill_safety_render') is not none) -%}
{% endmacro %}
