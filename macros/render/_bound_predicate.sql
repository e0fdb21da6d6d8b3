{#- The predicate that bounds an input to a unit, in literals or, where the unit is not known yet, in placeholders.
    An input: {column_sql, kind, lookback, lookahead, column_format, before}. -#}
{% macro _bound_predicate(input, state) %}
    {%- set position = state.bounds | length -%}
    {%- do state.bounds.append(input) -%}
    {%- if state.options.unit is none -%}
        {%- set ends = [backfill_safety._placeholder('lower', position), backfill_safety._placeholder('upper', position)] -%}
    {%- else -%}
        {%- set ends = backfill_safety._input_literals(input, state.options.request, state.options.unit) -%}
    {%- endif -%}
    {%- if input.before -%} {%- do return(input.column_sql ~ ' < ' ~ ends[0]) -%} {%- endif -%}
    {%- if state.options.request.grain == 'value' -%} {%- do return(input.column_sql ~ ' in (' ~ ends[0] ~ ')') -%} {%- endif -%}
    {%- do return(input.column_sql ~ ' >= ' ~ ends[0] ~ ' and ' ~ input.column_sql ~ ' < ' ~ ends[1]) -%}
{% endmacro %}


{% macro _placeholder(end, position) %}
    {%- do return('__backfill_safety_' ~ end ~ '_' ~ position ~ '__') -%}
{% endmacro %}


{#- A unit's two ends (texts of the target's column) as literals of an input's column, widened by its lookback. -#}
{% macro _input_literals(input, request, unit) %}
    {%- if request.grain == 'value' -%} {%- do return([backfill_safety._literals(unit, input.kind) | join(', '), none]) -%} {%- endif -%}
    {%- if request.grain is number -%}
        {%- do return([unit[0] | int - (input.lookback or 0) | int, unit[1] | int + (input.lookahead or 0) | int]) -%}
    {%- endif -%}
    {%- if input.frame is not defined -%}
        {%- do input.update({'frame': backfill_safety._literal_frame(input.kind),
            'is_alike': backfill_safety._is_bound_alike(input, request)}) -%}
    {%- endif -%}
    {%- if not input.is_alike -%}
        {%- set unit = backfill_safety._widened_ends(input, request, unit) -%}
    {%- elif request.column_kind == 'date' and input.kind != 'date' -%}
        {%- set unit = [unit[0] ~ ' 00:00:00', unit[1] ~ ' 00:00:00'] -%}
    {%- endif -%}
    {%- set head, tail = input.frame -%}
    {%- do return([head ~ unit[0] ~ tail, head ~ unit[1] ~ tail]) -%}
{% endmacro %}


{% macro _widened_ends(input, request, unit) %}
    {%- set lower = backfill_safety._widened(unit[0], input.lookback, -1, request) -%}
    {%- set upper = backfill_safety._widened(unit[1], input.lookahead, 1, request) -%}
    {%- do return([
        backfill_safety._input_text(lower, input, request, false), backfill_safety._input_text(upper, input, request, true),
    ]) -%}
{% endmacro %}


{#- Whether the texts of the target's bounds are the input's as well: nothing to widen, no zone, no format. This is the usual
    case. -#}
{% macro _is_bound_alike(input, request) %}
    {%- set plain = request.timezone == 'UTC' and not request.column_format and not input.column_format -%}
    {%- set times = ['timestamp', 'timestamptz'] + (['date'] if request.column_kind == 'date' else []) -%}
    {%- do return(plain and not input.lookback and not input.lookahead and input.kind in times) -%}
{% endmacro %}


{#- A bound of the target as an instant (UTC), moved by a span. A day of the zone may have 23 or 25 hours: the farther of
    the two ways to count it is taken, so that no row is missed. -#}
{% macro _widened(text, span, sign, request) %}
    {%- set is_instant = request.column_kind.startswith('timestamp') -%}
    {%- set instant = modules.datetime.datetime.fromisoformat(text) if is_instant
        else backfill_safety._to_utc(backfill_safety._bound_time(text, request), request.timezone) -%}
    {%- if not span -%} {%- do return(instant) -%} {%- endif -%}
    {%- set ways = [
        instant + sign * span,
        backfill_safety._to_utc(backfill_safety._to_local(instant, request.timezone) + sign * span, request.timezone),
    ] -%}
    {%- do return(ways | min if sign < 0 else ways | max) -%}
{% endmacro %}


{#- An instant as a bound of an input's column; a local day that is cut belongs to the input whole. -#}
{% macro _input_text(instant, input, request, is_end) %}
    {%- if not input.column_format and input.kind != 'date' -%} {%- do return(instant.isoformat(' ')) -%} {%- endif -%}
    {%- set local = backfill_safety._to_local(instant, request.timezone) -%}
    {%- set point = local -%}
    {%- if not (input.column_format and '%H' in input.column_format) -%}
        {%- set day = local.replace(hour=0, minute=0, second=0) -%}
        {%- set point = day + modules.datetime.timedelta(days=1) if is_end and day != local else day -%}
    {%- endif -%}
    {%- do return(point.strftime(input.column_format) if input.column_format else point.isoformat()[:10]) -%}
{% endmacro %}


{#- Placeholders → the literals of the units first … last. -#}
{% macro _fill(sql, inputs, request, bounds, first, last) %}
    {%- set unit = bounds[first:last + 1] if request.grain == 'value' else [bounds[first], bounds[last + 1]] -%}
    {%- set filled = namespace(sql=sql) -%}
    {%- for input in inputs -%}
        {%- set ends = backfill_safety._input_literals(input, request, unit) -%}
        {%- set filled.sql = filled.sql
            | replace(backfill_safety._placeholder('lower', loop.index0), ends[0])
            | replace(backfill_safety._placeholder('upper', loop.index0), ends[1] or '') -%}
    {%- endfor -%}
    {%- do return(filled.sql) -%}
{% endmacro %}
