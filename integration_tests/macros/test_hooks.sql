{#- What the tests ask of the package's private macros, many cases in one dbt. -#}
{% macro call_macros(calls) %}
    {%- if not execute -%} {%- do return('') -%} {%- endif -%}
    {%- set answers = [] -%}
    {%- for call in calls -%}
        {%- do answers.append(context['backfill_safety'][call.macro](*call.arguments)) -%}
    {%- endfor -%}
    {%- do print(tojson(answers)) -%}
{% endmacro %}


{#- Bounds of windows: [{grain, timezone, column_kind, column_format, start, end}] → the bounds and the units' names. -#}
{% macro bounds_of(cases) %}
    {%- if not execute -%} {%- do return('') -%} {%- endif -%}
    {%- set answers = [] -%}
    {%- for case in cases -%}
        {%- set request = dict(case) -%}
        {%- do request.update({
            'start': backfill_safety._read_point('start', case.start, request),
            'end': backfill_safety._read_point('end', case.end, request),
        }) -%}
        {%- set bounds = backfill_safety._bounds(request) -%}
        {%- set names = [] -%}
        {%- for bound in bounds[:-1] -%} {%- do names.append(backfill_safety._unit_name(bound, request)) -%} {%- endfor -%}
        {%- do answers.append([bounds, names]) -%}
    {%- endfor -%}
    {%- do print(tojson(answers)) -%}
{% endmacro %}


{#- The operation on an engine that is like DuckDB and of which the package knows nothing: every macro in its default form,
    but for the checksums, whose default is written for Postgres, and for what DuckDB says to a commit of nothing. -#}
{% macro backfill_on_plain_engine(arguments) %}
    {%- if not execute -%} {%- do return('') -%} {%- endif -%}
    {%- set forms = {} -%}
    {%- for name, form in context['backfill_safety'].items() if name.startswith('default__') -%}
        {%- do forms.update({name[9:]: form}) -%}
    {%- endfor -%}
    {%- do forms.update({
        '_checksum_of': backfill_safety.duckdb___checksum_of,
        '_distinct_rows': backfill_safety.duckdb___distinct_rows,
        '_end_transaction': backfill_safety.duckdb___end_transaction,
    }) -%}
    {%- do context.update({'backfill_safety_engine': forms}) -%}
    {%- do backfill_safety.safe_backfill(**arguments) -%}
{% endmacro %}


{#- What the package makes of Postgres' answers, here canned: a plan of two scans, and the tables' sizes. -#}
{% macro canned_postgres_scans() %}
    {%- if not execute -%} {%- do return('') -%} {%- endif -%}
    {%- do context.update({'backfill_safety_engine': {'_fetch': _canned_answer}}) -%}
    {%- do print(tojson(backfill_safety.postgres___scans('select 1'))) -%}
{% endmacro %}


{% macro _canned_answer(sql) %}
    {%- set events = {'Relation Name': 'events', 'Schema': 'raw', 'Plan Rows': 40} -%}
    {%- set customers = {'Relation Name': 'customers', 'Schema': 'raw', 'Plan Rows': 37} -%}
    {%- if sql.startswith('explain') -%} {%- do return([[[{'Plan': {'Plans': [events, {'Plans': [customers]}]}}]]]) -%} {%- endif -%}
    {%- do return([['raw.events', 4000]]) -%}
{% endmacro %}
