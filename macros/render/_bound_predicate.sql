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
    {%- set kind = input.kind -%}
    {%- if request.grain == 'value' -%}
        {%- set literals = [] -%}
        {%- for value in unit -%} {%- do literals.append(backfill_safety._literal(value, kind)) -%} {%- endfor -%}
        {%- do return([literals | join(', '), none]) -%}
    {%- endif -%}
    {%- if request.grain is number -%}
        {%- set lower = unit[0] | int - (input.lookback or 0) | int -%}
        {%- set upper = unit[1] | int + (input.lookahead or 0) | int -%}
        {%- do return([backfill_safety._literal(lower, 'integer'), backfill_safety._literal(upper, 'integer')]) -%}
    {%- endif -%}
    {%- set lower = backfill_safety._bound_time(unit[0], request) -%}
    {%- set upper = backfill_safety._bound_time(unit[1], request) -%}
    {%- if input.lookback -%} {%- set lower = lower - input.lookback -%} {%- endif -%}
    {%- if input.lookahead -%} {%- set upper = upper + input.lookahead -%} {%- endif -%}
    {%- do return([
        backfill_safety._time_literal(lower, input, request, false),
        backfill_safety._time_literal(upper, input, request, true),
    ]) -%}
{% endmacro %}


{#- Local wall time as a literal of an input's column; a day that is cut belongs to the input whole. -#}
{% macro _time_literal(local, input, request, is_end) %}
    {%- if input.column_format or input.kind == 'date' -%}
        {%- set day = backfill_safety._floor(local, 'day') -%}
        {%- set point = local if input.column_format and '%H' in input.column_format else (
            day + modules.datetime.timedelta(days=1) if is_end and day != local else day) -%}
        {%- set text = point.strftime(input.column_format) if input.column_format else point.isoformat()[:10] -%}
        {%- do return(backfill_safety._literal(text, input.kind)) -%}
    {%- endif -%}
    {%- do return(backfill_safety._literal(backfill_safety._to_utc(local, request.timezone).isoformat(' '), input.kind)) -%}
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
