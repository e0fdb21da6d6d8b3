{#- The window as bounds: n units give n + 1 texts, each the start of a unit and the end of the one before.
    A bound is absolute (UTC for timestamps), so that nothing later depends on a clock or a session. -#}
{% macro _bounds(request) %}
    {%- if request.grain == 'value' -%} {%- do return(request['values']) -%} {%- endif -%}
    {%- if request.grain == 'hour' -%} {%- do return(backfill_safety._hour_bounds(request)) -%} {%- endif -%}
    {%- if request.grain is number -%} {%- do return(backfill_safety._integer_bounds(request)) -%} {%- endif -%}
    {%- set bounds = [] -%}
    {%- set days = {'day': 1, 'week': 7, 'month': 28, 'quarter': 90, 'year': 365}[request.grain] -%}
    {%- set step = modules.datetime.timedelta(days=days) if request.grain in ['day', 'week'] else none -%}
    {%- set is_date = request.column_kind == 'date' and not request.column_format -%}
    {%- set at = namespace(point=request.start) -%}
    {%- for _ in backfill_safety._times((request.end - request.start).days // days + 2) if at.point <= request.end -%}
        {%- do bounds.append(at.point.isoformat()[:10] if is_date else backfill_safety._bound_text(at.point, request)) -%}
        {%- set at.point = at.point + step if step else backfill_safety._next(at.point, request.grain) -%}
    {%- endfor -%}
    {%- do return(bounds) -%}
{% endmacro %}


{#- range() stops at 100,000, so no range here either. -#}
{% macro _integer_bounds(request) %}
    {%- set bounds = [] -%}
    {%- set at = namespace(point=request.start) -%}
    {%- for _ in backfill_safety._times((request.end - request.start) // request.grain + 1) -%}
        {%- do bounds.append(at.point | string) -%}
        {%- set at.point = at.point + request.grain -%}
    {%- endfor -%}
    {%- do return(bounds) -%}
{% endmacro %}


{#- Hours are counted in absolute time: a local day has 23 or 25 of them when the clock changes. -#}
{% macro _hour_bounds(request) %}
    {%- set bounds = [] -%}
    {%- set first = backfill_safety._to_utc(request.start, request.timezone) -%}
    {%- set last = backfill_safety._to_utc(request.end, request.timezone) -%}
    {%- set hour = modules.datetime.timedelta(hours=1) -%}
    {%- set at = namespace(point=first) -%}
    {%- set text = request.column_format -%}
    {%- for _ in backfill_safety._times(((last - first).total_seconds() // 3600) | int + 1) -%}
        {%- do bounds.append(at.point.isoformat(' ') if not text else at.point.strftime(text)) -%}
        {%- set at.point = at.point + hour -%}
    {%- endfor -%}
    {#- clocks that change by half an hour leave a last unit of half an hour -#}
    {%- if at.point - hour < last -%} {%- do bounds.append(last.isoformat(' ') if not text else last.strftime(text)) -%} {%- endif -%}
    {%- do return(bounds) -%}
{% endmacro %}


{#- Something to loop over n times; Jinja's range() refuses more than 100,000. -#}
{% macro _times(n) %}
    {%- do return([none] * n) -%}
{% endmacro %}


{#- A local point of time as the text of a bound of the partition column. -#}
{% macro _bound_text(point, request) %}
    {%- if request.column_format -%} {%- do return(point.strftime(request.column_format)) -%} {%- endif -%}
    {%- if request.column_kind == 'date' -%} {%- do return(point.isoformat()[:10]) -%} {%- endif -%}
    {%- do return(backfill_safety._to_utc(point, request.timezone).isoformat(' ')) -%}
{% endmacro %}


{#- The text of a bound → local wall time; what `inputs`, `vars` and names of units are made from. -#}
{% macro _bound_time(text, request) %}
    {%- if request.column_format -%}
        {%- do return(modules.datetime.datetime.strptime(text, request.column_format)) -%}
    {%- endif -%}
    {%- set point = modules.datetime.datetime.fromisoformat(text) -%}
    {%- do return(point if request.column_kind == 'date' else backfill_safety._to_local(point, request.timezone)) -%}
{% endmacro %}


{#- How a unit is named to people: 2024-01-12, 2024-01-12 07:00, 2024-01, 1000, DE. -#}
{% macro _unit_name(text, request) %}
    {%- do return(text[:request.name_length] if request.name_length else backfill_safety._name_in_words(text, request)) -%}
{% endmacro %}


{% macro _name_in_words(text, request) %}
    {%- if request.grain == 'value' or request.grain is number -%} {%- do return(text | string) -%} {%- endif -%}
    {%- if request.grain == 'hour' and request.timezone != 'UTC' -%}
        {#- an hour that comes twice is told apart by its offset -#}
        {%- set moment = modules.pytz.utc.localize(modules.datetime.datetime.fromisoformat(text)) -%}
        {%- do return(moment.astimezone(modules.pytz.timezone(request.timezone)).strftime('%Y-%m-%d %H:%M%z')) -%}
    {%- endif -%}
    {%- set local = backfill_safety._bound_time(text, request).isoformat(' ') -%}
    {%- do return(local[:backfill_safety._local_length(request.grain)]) -%}
{% endmacro %}


{% macro _local_length(grain) %}
    {%- do return({'hour': 16, 'month': 7, 'quarter': 7, 'year': 4}.get(grain, 10)) -%}
{% endmacro %}


{#- How much of a bound's text is its unit's name, where it is local time as it stands; none elsewhere. The request keeps it. -#}
{% macro _name_length(request) %}
    {%- set plain = request.timezone == 'UTC' and not request.column_format and request.grain is string and request.grain != 'value' -%}
    {%- do return(backfill_safety._local_length(request.grain) if plain else none) -%}
{% endmacro %}
