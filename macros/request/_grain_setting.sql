{#- The grain: argument, meta, batch_size, the partition's granularity, else day; refuses what the column cannot hold. -#}
{% macro _grain_setting(arguments, node, column, kind, column_format) %}
    {%- set chosen = arguments.grain or backfill_safety._meta_setting(node, 'grain') or node.config.get('batch_size') -%}
    {%- if arguments['values'] is not none and arguments.grain in [none, 'value'] -%} {%- do return('value') -%} {%- endif -%}
    {%- if chosen == 'value' -%}
        {%- do backfill_safety._refuse('grain: value needs the list of them; write values: [...] instead of start and end') -%}
    {%- endif -%}
    {%- set is_range = kind == 'integer' and not column_format -%}
    {%- set grain = chosen or none -%}
    {%- if not grain and node.config.get('partition_by') -%}
        {%- set grain = backfill_safety._grain_of_partitions(node, column, is_range) -%}
    {%- endif -%}
    {%- if is_range -%} {%- do return(backfill_safety._range_width(column, grain)) -%} {%- endif -%}
    {%- set grain = grain or 'day' -%}
    {%- set names = ['hour', 'day', 'week', 'month', 'quarter', 'year'] -%}
    {%- if grain not in names -%}
        {%- do backfill_safety._refuse("grain must be one of " ~ names | join(', ') ~ " for " ~ column.name ~ " (" ~ kind
            ~ "), not '" ~ grain ~ "'") -%}
    {%- endif -%}
    {%- if column_format or grain == 'hour' or kind in ['text', 'other'] -%}
        {%- do backfill_safety._refuse_if_too_fine(grain, column, kind, column_format) -%}
    {%- endif -%}
    {%- do return(grain) -%}
{% endmacro %}


{#- What `partition_by` says, or else the table as the engine has it. -#}
{% macro _grain_of_partitions(node, column, is_range) %}
    {%- set partition_by = node.config.partition_by -%}
    {%- set physical = backfill_safety._engine('_partition_grain')(node, column.name) -%}
    {%- if partition_by is not mapping -%} {%- do return(physical) -%} {%- endif -%}
    {%- set declared = (partition_by.get('range') or {}).get('interval') if is_range else partition_by.get('granularity') -%}
    {%- do return(declared or physical) -%}
{% endmacro %}


{% macro _range_width(column, grain) %}
    {%- if grain is none or not modules.re.match('^[1-9]\\d{0,17}$', grain | string) -%}
        {%- do backfill_safety._refuse(
            'the partition column ' ~ column.name
                ~ ' is an integer; write grain: with the width of a unit (grain: 1000), or column_format: "%Y%m%d" where it holds dates'
            ~ ('' if grain is none else ", not grain: '" ~ grain ~ "'")
        ) -%}
    {%- endif -%}
    {%- do return(grain | int) -%}
{% endmacro %}


{#- The grain, or the width of a range, in which the table itself is cut by a column; none where nothing is replaced whole. -#}
{% macro default___partition_grain(node, column) %}
    {%- do return(none) -%}
{% endmacro %}


{% macro _refuse_if_too_fine(grain, column, kind, column_format) %}
    {%- if kind in ['text', 'other'] and not column_format -%}
        {%- do backfill_safety._refuse(
            'the partition column ' ~ column.name ~ ' is of type ' ~ column.dtype
                ~ '; write values: [...], or column_format: "%Y-%m-%d" where it holds dates'
        ) -%}
    {%- endif -%}
    {%- if grain == 'hour' and kind == 'date' -%}
        {%- do backfill_safety._refuse(column.name ~ ' is a date and cannot be cut into hours; write grain: day') -%}
    {%- endif -%}
    {%- set needed = {'hour': '%H', 'day': '%d', 'week': '%d', 'month': '%m', 'quarter': '%m'}.get(grain, '%Y') -%}
    {%- if column_format and needed not in column_format -%}
        {%- do backfill_safety._refuse("column_format '" ~ column_format ~ "' does not tell one " ~ grain
            ~ " from another; write a coarser grain, or a format with " ~ needed) -%}
    {%- endif -%}
{% endmacro %}


{% macro _column_format_setting(arguments, node, column, kind) %}
    {%- set text = arguments.column_format or backfill_safety._meta_setting(node, 'column_format') -%}
    {%- if text -%} {%- do backfill_safety._check_column_format('column_format', text, column, kind) -%} {%- endif -%}
    {%- do return(text or none) -%}
{% endmacro %}


{#- Only formats whose texts sort as their dates do. -#}
{% macro _check_column_format(label, text, column, kind) %}
    {%- if not modules.re.match('^%Y(?:[-_/.]?%m(?:[-_/.]?%d(?:[-_/. T]?%H)?)?)?$', text) -%}
        {%- do backfill_safety._refuse(label ~ " '" ~ text
            ~ "' does not sort as dates do; write year before month before day, such as %Y%m%d or %Y-%m-%d") -%}
    {%- endif -%}
    {%- if kind not in ['text', 'integer'] or (kind == 'integer' and modules.re.search('[-_/. T]', text)) -%}
        {%- do backfill_safety._refuse(
            label ~ " '" ~ text ~ "' does not suit " ~ column.name ~ ' of type ' ~ column.dtype
            ~ ('; write it without separators' if kind == 'integer' else '; leave column_format out')
        ) -%}
    {%- endif -%}
{% endmacro %}
