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
    {%- set name = target_column or config.get('event_time') or (config.get('meta')
        or {}).get('backfill_safety', {}).get('column') or column.split('.')[-1] -%}
    {%- set mark = backfill_safety._watermark_value(name) -%}
    {%- if mark is none -%} {%- do return('true') -%} {%- endif -%}
    {%- if lookback is not none -%}
        {%- if mark.text is number -%}
            {%- do mark.update({'text': mark.text - lookback | int}) -%}
        {%- else -%}
            {%- set point = modules.datetime.datetime.fromisoformat(mark.text) - backfill_safety._read_span('lookback', lookback) -%}
            {%- do mark.update({'text': point.isoformat(' ') if mark.kind != 'date' else point.isoformat()[:10]}) -%}
        {%- endif -%}
    {%- endif -%}
    {%- do return('(' ~ column ~ ' >= ' ~ backfill_safety._literal(mark.text, type or mark.kind) ~ ')') -%}
{% endmacro %}
