{#- Numbers and nouns as people read them. -#}
{% macro _grouped(number) %}
    {%- do return('{:,}'.format(number | int)) -%}
{% endmacro %}


{#- 2,100,000 → 2.1 M -#}
{% macro _rounded(number) %}
    {%- if number >= 1000000 -%} {%- do return('%.1f M' % (number / 1000000)) -%} {%- endif -%}
    {%- do return(backfill_safety._grouped(number)) -%}
{% endmacro %}


{#- 3,435,973,837 → 3.2 GiB -#}
{% macro _bytes_word(number) %}
    {%- set size = namespace(left=number, unit='bytes') -%}
    {%- for unit in ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'] if size.left >= 1024 -%}
        {%- set size.left, size.unit = size.left / 1024, unit -%}
    {%- endfor -%}
    {%- do return((backfill_safety._grouped(number) if size.unit == 'bytes' else '%.1f' % size.left) ~ ' ' ~ size.unit) -%}
{% endmacro %}


{% macro _unit_word(request, count) %}
    {%- set word = request.grain if request.grain is string else 'range' -%}
    {%- do return(word if count == 1 else word ~ 's') -%}
{% endmacro %}


{% macro _rows_word(count) %}
    {%- do return(backfill_safety._grouped(count) ~ (' row' if count == 1 else ' rows')) -%}
{% endmacro %}


{% macro _padded(text, width) %}
    {%- do return(text ~ ' ' * (width - text | length)) -%}
{% endmacro %}


{% macro _padded_left(text, width) %}
    {%- do return(' ' * (width - text | string | length) ~ text) -%}
{% endmacro %}


{% macro _clock() %}
    {%- do return(modules.datetime.datetime.now()) -%}
{% endmacro %}


{% macro _seconds_since(moment) %}
    {%- do return((modules.datetime.datetime.now() - moment).total_seconds()) -%}
{% endmacro %}
