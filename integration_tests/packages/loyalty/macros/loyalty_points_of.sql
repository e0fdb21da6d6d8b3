{% macro loyalty_points_of(orders) %}
    {{- orders }} * {{ var('points_per_order') }} + {{ var('bonus') }}
{%- endmacro %}
