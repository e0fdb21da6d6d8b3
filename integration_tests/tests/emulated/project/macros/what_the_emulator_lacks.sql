{#- fakesnow takes no EXPLAIN USING JSON; test_the_emulator_does_not_explain says when it does. -#}
{% macro snowflake___reads(sql) %}
    {%- do return(none) -%}
{% endmacro %}
