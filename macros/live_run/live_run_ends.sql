{#- The post-hook that belongs to live_run_begins; documented in macros.yml. -#}
{% macro live_run_ends() %}
    {%- if not execute -%} {%- do return('select 1') -%} {%- endif -%}
    {%- do return(backfill_safety._engine('_live_run_ends_sql')(this)) -%}
{% endmacro %}


{#- Where the lock ends with the transaction, nothing is left to do. -#}
{% macro default___live_run_ends_sql(relation) %}
    {%- do return('select 1') -%}
{% endmacro %}
