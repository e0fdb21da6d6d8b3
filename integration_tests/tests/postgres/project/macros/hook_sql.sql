{#- What the guard's pre-hook sends for fct_daily. -#}
{% macro hook_sql(on_conflict, wait_seconds=600) %}
    {%- if not execute -%} {%- do return('') -%} {%- endif -%}
    {%- do context.update({'this': api.Relation.create(database='shop', schema='marts', identifier='fct_daily')}) -%}
    {%- do print(backfill_safety.live_run_begins(on_conflict=on_conflict, wait_seconds=wait_seconds)) -%}
{% endmacro %}
