{#- start, end or through, values → the window [start, end) on the grain's boundaries, or the list of values. -#}
{% macro _window_setting(arguments, request) %}
    {%- if request.grain == 'value' -%}
        {%- do request.update({'values': backfill_safety._list_window(arguments, request)}) -%}
        {%- do return(none) -%}
    {%- endif -%}
    {%- if arguments['values'] is not none -%}
        {%- do backfill_safety._refuse('values and grain: ' ~ request.grain ~ ' exclude each other; leave one out') -%}
    {%- endif -%}
    {%- if arguments.start is none or (arguments.end is none) == (arguments.through is none) -%}
        {%- do backfill_safety._refuse_window(arguments) -%}
    {%- endif -%}
    {%- set start = backfill_safety._read_point('start', arguments.start, request) -%}
    {%- if arguments.end is not none -%}
        {%- set end = backfill_safety._read_point('end', arguments.end, request) -%}
    {%- else -%}
        {%- set end = backfill_safety._end_of_through(arguments.through, request) -%}
    {%- endif -%}
    {%- if end <= start -%}
        {%- do backfill_safety._refuse(
            'end ' ~ backfill_safety._point_text(end) ~ ' is not after start ' ~ backfill_safety._point_text(start)
                ~ '; the window is [start, end)'
        ) -%}
    {%- endif -%}
    {%- do backfill_safety._refuse_unless_aligned(start, end, request.grain) -%}
    {#- of hours, the shortest units, 4,167 days have more than 100,000 -#}
    {%- if request.grain is number or (end - start).days > 4166 -%}
        {%- do backfill_safety._refuse_endless(start, end, request) -%}
    {%- endif -%}
    {%- do request.update({'start': start, 'end': end}) -%}
{% endmacro %}


{% macro _refuse_window(arguments) %}
    {%- if arguments.start is none -%}
        {%- do backfill_safety._refuse('start is missing; write the first point of the window, such as start: 2024-01-01') -%}
    {%- endif -%}
    {%- do backfill_safety._refuse(
        ('end is missing' if arguments.end is none else 'end and through exclude each other')
        ~ '; write end: (not included) or through: (included)'
    ) -%}
{% endmacro %}


{% macro _read_point(name, value, request) %}
    {%- if request.grain is number -%} {%- do return(backfill_safety._read_integer(name, value)) -%} {%- endif -%}
    {%- do return(backfill_safety._read_time(name, value, request.timezone)) -%}
{% endmacro %}


{#- `through` names the last unit by its start, or the last day (or integer) inside the window; a day of hours is all of them. -#}
{% macro _end_of_through(through, request) %}
    {%- set point = backfill_safety._read_point('through', through, request) -%}
    {%- if request.grain is number -%} {%- do return(point + 1) -%} {%- endif -%}
    {%- set is_day = modules.re.match('^\\s*[0-9-]+\\s*$', through | string) is not none -%}
    {%- if backfill_safety._floor(point, request.grain) == point and not (is_day and request.grain == 'hour') -%}
        {%- do return(backfill_safety._next(point, request.grain)) -%}
    {%- endif -%}
    {%- do return(point + modules.datetime.timedelta(days=1) if is_day else point) -%}
{% endmacro %}


{% macro _refuse_unless_aligned(start, end, grain) %}
    {%- set first = backfill_safety._floor(start, grain) -%}
    {%- set last = backfill_safety._ceiling(end, grain) -%}
    {%- if first != start or last != end -%} {%- do backfill_safety._refuse_cut(start, end, grain, first, last) -%} {%- endif -%}
{% endmacro %}


{% macro _refuse_cut(start, end, grain, first, last) %}
    {%- do backfill_safety._refuse(
        'the window ' ~ backfill_safety._point_text(start) ~ ' to ' ~ backfill_safety._point_text(end) ~ ' cuts a '
        ~ (grain if grain is string else 'range of ' ~ grain) ~ '; write start: ' ~ backfill_safety._point_text(first)
        ~ ', end: ' ~ backfill_safety._point_text(last)
    ) -%}
{% endmacro %}


{#- A plan of more units than it may have is a finding; so many more that planning them takes minutes are refused at once. -#}
{% macro _refuse_endless(start, end, request) %}
    {%- set days = {'hour': 1 / 24, 'day': 1, 'week': 7, 'month': 30.44, 'quarter': 91.31, 'year': 365.24}.get(request.grain) -%}
    {%- set units = ((end - start).days / days if days else (end - start) // request.grain) | int -%}
    {%- if units > 100000 and units > request.limits.units -%}
        {%- do backfill_safety._refuse('the window ' ~ backfill_safety._point_text(start) ~ ' to ' ~ backfill_safety._point_text(end)
            ~ ' has about ' ~ backfill_safety._grouped(units) ~ ' ' ~ backfill_safety._unit_word(request, units) ~ ' and the limit is '
            ~ backfill_safety._grouped(request.limits.units) ~ '; write an end nearer to the start, or a coarser grain') -%}
    {%- endif -%}
{% endmacro %}


{#- A point as people write it: the day alone at midnight. -#}
{% macro _point_text(point) %}
    {%- if point is number -%} {%- do return(point | string) -%} {%- endif -%}
    {%- do return(point.isoformat(' ') | replace(' 00:00:00', '')) -%}
{% endmacro %}


{% macro _list_window(arguments, request) %}
    {%- for name in ['start', 'end', 'through'] if arguments[name] is not none -%}
        {%- do backfill_safety._refuse('values and ' ~ name ~ ' exclude each other; leave one out') -%}
    {%- endfor -%}
    {%- if not arguments['values'] -%}
        {%- do backfill_safety._refuse('values is empty; write at least one value of ' ~ request.column) -%}
    {%- endif -%}
    {%- set values = [] -%}
    {%- for value in arguments['values'] -%}
        {%- set shape = backfill_safety._shape_of(value) -%}
        {%- if shape not in ['text', 'number', 'date'] -%}
            {%- do backfill_safety._refuse("values holds " ~ value ~ ", which is no single value; rows without " ~ request.column
                ~ ' belong to no unit') -%}
        {%- endif -%}
        {%- if request.column_kind == 'integer' -%} {%- set value = backfill_safety._read_integer('values', value) -%} {%- endif -%}
        {%- if request.column_kind == 'other' or request.column_kind.startswith('timestamp') -%}
            {%- do backfill_safety._refuse('values needs a text, integer or date column; ' ~ request.column ~ ' is '
                ~ request.column_type) -%}
        {%- endif -%}
        {%- if request.column_kind == 'date' -%}
            {%- set value = backfill_safety._point_text(backfill_safety._read_time('values', value, 'UTC', false)) -%}
        {%- endif -%}
        {%- if value | string in values -%}
            {%- do backfill_safety._refuse("values holds '" ~ value ~ "' twice; write it once") -%}
        {%- endif -%}
        {%- do values.append(value | string) -%}
    {%- endfor -%}
    {%- do return(values) -%}
{% endmacro %}
