{#- Bounds what a model reads; documented in macros.yml. -#}
{% macro window(column, lookback=none, lookahead=none, type=none, target_column=none) %}
    {%- if not execute -%} {%- do return('true') -%} {%- endif -%}
    {%- set state = context.get('backfill_safety_render') -%}
    {%- if state is none -%}
        {%- do return(backfill_safety._live_window(column, lookback, type, target_column)) -%}
    {%- endif -%}
    {%- set request = state.options.request -%}
    {%- do state.notes.watermarks.append(target_column or request.column) -%}
    {%- set input = {'column_sql': column, 'kind': type or request.column_kind, 'column_format': none if type
        else request.column_format} -%}
    {%- for side, span in [('lookback', lookback), ('lookahead', lookahead)] if span is not none -%}
        {%- do input.update({side: backfill_safety._read_widening(side, span, request)}) -%}
    {%- endfor -%}
    {%- do return('(' ~ backfill_safety._bound_predicate(input, state) ~ ')') -%}
{% endmacro %}


{#- A first build reads everything; a live run reads from the watermark on, as a literal, so that the engine can prune. -#}
{% macro _live_window(column, lookback, type, target_column) %}
    {%- if not is_incremental() -%} {%- do return('true') -%} {%- endif -%}
    {%- set settings = (config.get('meta') or {}).get('backfill_safety') or {} -%}
    {%- set name = target_column or config.get('event_time') or settings.get('column') or column.split('.')[-1] -%}
    {%- set mark = backfill_safety._watermark_value(name) -%}
    {%- if mark is none -%} {%- do return('true') -%} {%- endif -%}
    {%- set text = backfill_safety._live_bound(mark, lookback, type, settings) -%}
    {%- do return('(' ~ column ~ ' >= ' ~ backfill_safety._literal(text, type or mark.kind) ~ ')') -%}
{% endmacro %}


{#- The watermark less the lookback, as the text of a bound of `type`. A date of the model's zone begins at an instant of its own, and dates
    may be kept as text or integers, as in a backfill. -#}
{% macro _live_bound(mark, lookback, type, settings) %}
    {%- set zone = settings.get('timezone') or 'UTC' -%}
    {%- set format = settings.get('column_format') if mark.kind in ['text', 'integer'] else none -%}
    {%- if mark.kind == 'integer' and not format -%}
        {%- do return(mark.text - (backfill_safety._read_integer('lookback', lookback) if lookback is not none else 0)) -%}
    {%- endif -%}
    {%- if not format and not (mark.kind == 'date' or mark.kind.startswith('timestamp')) -%}
        {%- if lookback is not none -%}
            {%- do backfill_safety._refuse('lookback needs a watermark that is a date, a time or an integer, and it is ' ~ mark.kind
                ~ "; where it holds dates, set column_format ('%Y-%m-%d') in meta.backfill_safety") -%}
        {%- endif -%}
        {%- do return(mark.text) -%}
    {%- endif -%}
    {%- set datetime = modules.datetime.datetime -%}
    {%- set is_day = format or mark.kind == 'date' -%}
    {%- set point = datetime.strptime(mark.text | string, format) if format else datetime.fromisoformat(mark.text) -%}
    {%- set point = point - backfill_safety._read_span('lookback', lookback) if lookback is not none else point -%}
    {%- set kind = type or mark.kind -%}
    {%- if kind.startswith('timestamp') -%}
        {%- do return((backfill_safety._to_utc(point, zone) if is_day else point).isoformat(' ')) -%}
    {%- endif -%}
    {%- set local = point if is_day else backfill_safety._to_local(point, zone) -%}
    {%- do return(local.strftime(format) if format and kind == mark.kind else local.isoformat()[:10]) -%}
{% endmacro %}
