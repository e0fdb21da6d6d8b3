{% macro only_new_rows(expression, column) %}
    {%- if is_incremental() -%}
        where {{ expression }} >= (select max({{ column }}) from {{ this }})
    {%- endif -%}
{% endmacro %}
