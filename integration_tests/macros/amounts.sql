{#- What a view asks for, which asks for another macro. -#}
{% macro is_large(column) %}
    {%- do return(column ~ ' > ' ~ least_amount()) -%}
{% endmacro %}


{% macro least_amount() %}
    {%- do return(20) -%}
{% endmacro %}
