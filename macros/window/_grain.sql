{#- The start of the unit that holds a point. Weeks begin on Monday (ISO 8601). -#}
{% macro _floor(point, grain) %}
    {%- if grain is number -%} {%- do return(point - point % grain) -%} {%- endif -%}
    {%- if grain == 'hour' -%} {%- do return(point.replace(minute=0, second=0)) -%} {%- endif -%}
    {%- set day = point.replace(hour=0, minute=0, second=0) -%}
    {%- do return(day if grain == 'day' else backfill_safety._first_day(day, grain)) -%}
{% endmacro %}


{% macro _first_day(day, grain) %}
    {%- if grain == 'week' -%} {%- do return(day - modules.datetime.timedelta(days=day.weekday())) -%} {%- endif -%}
    {%- if grain == 'month' -%} {%- do return(day.replace(day=1)) -%} {%- endif -%}
    {%- if grain == 'quarter' -%} {%- do return(day.replace(day=1, month=day.month - (day.month - 1) % 3)) -%} {%- endif -%}
    {%- do return(day.replace(day=1, month=1)) -%}
{% endmacro %}


{#- The start of the unit after the one that begins at a point. -#}
{% macro _next(point, grain) %}
    {%- if grain is number -%} {%- do return(point + grain) -%} {%- endif -%}
    {%- set delta = modules.datetime.timedelta -%}
    {%- set steps = {'hour': delta(hours=1), 'day': delta(days=1), 'week': delta(days=7)} -%}
    {%- if grain in steps -%} {%- do return(point + steps[grain]) -%} {%- endif -%}
    {%- set longest = {'month': delta(days=31), 'quarter': delta(days=92), 'year': delta(days=366)}[grain] -%}
    {%- do return(backfill_safety._floor(point + longest, grain)) -%}
{% endmacro %}


{% macro _ceiling(point, grain) %}
    {%- set floor = backfill_safety._floor(point, grain) -%}
    {%- do return(floor if floor == point else backfill_safety._next(floor, grain)) -%}
{% endmacro %}
