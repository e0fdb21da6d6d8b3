{#- A point of time as the user wrote it (ISO text or a YAML date) → a naive datetime in the request's zone. Points that are reckoned
    with keep clear of where the calendar ends, and have years of four digits. -#}
{% macro _read_time(name, value, zone, is_reckoned=true) %}
    {%- set text = value | string | trim -%}
    {%- set pattern = '^(\\d{4})-(\\d{2})-(\\d{2})(?:[T ](\\d{2}):(\\d{2})(?::(\\d{2}))?(?:\\.0+)?)?\\s*(Z|[+-]\\d{2}:?\\d{2})?$' -%}
    {%- set match = modules.re.match(pattern, text) -%}
    {%- if not match -%}
        {%- do backfill_safety._refuse(name ~ " '" ~ text ~ "' is not a date; write it as 2024-01-31 or 2024-01-31 13:00:00") -%}
    {%- endif -%}
    {%- set parts = [] -%}
    {%- for part in match.groups()[:6] -%} {%- do parts.append((part or '0') | int) -%} {%- endfor -%}
    {%- set y, m, d, h, mi, s = parts -%}
    {#- a day too many would be one of the next month -#}
    {%- if y < 1 or not 1 <= m <= 12 or not 1 <= d <= 31 or h > 23 or mi > 59 or s > 59
        or (d > 28 and (modules.datetime.datetime(y, m, 28) + modules.datetime.timedelta(days=d - 28)).month != m) -%}
        {%- do backfill_safety._refuse(name ~ " '" ~ text ~ "' is not a day of the calendar; write it as 2024-01-31") -%}
    {%- endif -%}
    {%- if is_reckoned and not 1000 <= y <= 9000 -%}
        {%- do backfill_safety._refuse(name ~ " '" ~ text
            ~ "' lies outside of the years 1000 to 9000; write where the rows begin or end") -%}
    {%- endif -%}
    {%- set naive = modules.datetime.datetime(y, m, d, h, mi, s) -%}
    {%- set offset = match.group(7) -%}
    {%- do return(naive if offset is none else backfill_safety._at_offset(naive, offset, zone)) -%}
{% endmacro %}


{#- A time that was written with an offset, Z or +02:00, in the request's zone. -#}
{% macro _at_offset(naive, offset, zone) %}
    {%- set minutes = 0 if offset == 'Z' else (offset[1:3] | int * 60 + offset[-2:] | int) * (-1 if offset[0] == '-' else 1) -%}
    {%- do return(backfill_safety._to_local(naive - modules.datetime.timedelta(minutes=minutes), zone)) -%}
{% endmacro %}


{% macro _read_integer(name, value) %}
    {%- if not modules.re.match('^-?\\d{1,18}$', value | string | trim) -%}
        {%- do backfill_safety._refuse(name ~ " '" ~ value ~ "' is not an integer; the partition column is one, so write 0 or 1000") -%}
    {%- endif -%}
    {%- do return(value | int) -%}
{% endmacro %}


{#- Local wall time → UTC. A midnight that a clock change skips is the change itself; one that comes twice is the first. -#}
{% macro _to_utc(naive, zone) %}
    {%- if zone == 'UTC' -%} {%- do return(naive) -%} {%- endif -%}
    {%- set tz = modules.pytz.timezone(zone) -%}
    {%- set first = tz.localize(naive, is_dst=true) -%}
    {%- set real = tz.normalize(first).replace(tzinfo=none) == naive -%}
    {%- set moment = first if real else tz.localize(naive, is_dst=false) -%}
    {%- do return(moment.astimezone(modules.pytz.utc).replace(tzinfo=none)) -%}
{% endmacro %}


{% macro _to_local(utc, zone) %}
    {%- if zone == 'UTC' -%} {%- do return(utc) -%} {%- endif -%}
    {%- set moment = modules.pytz.utc.localize(utc).astimezone(modules.pytz.timezone(zone)) -%}
    {%- do return(moment.replace(tzinfo=none)) -%}
{% endmacro %}


{#- '3 days' → a timedelta. -#}
{% macro _read_span(name, text) %}
    {%- set match = modules.re.match('^\\s*(\\d+)\\s*(minute|hour|day|week)s?\\s*$', text | string | lower) -%}
    {%- if not match -%}
        {%- do backfill_safety._refuse(name ~ " '" ~ text ~ "' is not a span; write '3 days', '6 hours', '30 minutes' or '1 week'") -%}
    {%- endif -%}
    {%- set minutes = {'minute': 1, 'hour': 60, 'day': 1440, 'week': 10080}[match.group(2)] * match.group(1) | int -%}
    {%- if minutes > 52560000 -%}
        {%- do backfill_safety._refuse(name ~ " '" ~ text
            ~ "' is longer than 100 years; leave this parent out of inputs to read all of it") -%}
    {%- endif -%}
    {%- do return(modules.datetime.timedelta(minutes=minutes)) -%}
{% endmacro %}


{#- A lookback or lookahead: a span, or where units are ranges of integers how many of them. -#}
{% macro _read_widening(name, given, request) %}
    {%- do return(backfill_safety._read_integer(name, given) if request.grain is number else backfill_safety._read_span(name, given)) -%}
{% endmacro %}
