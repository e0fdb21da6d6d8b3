{#- What engines share that bill by the bytes that are read: a limit where none is given, and a count while a run goes on. -#}

{#- 100 GiB, unless the operator says otherwise: for the plan where it has an estimate, and for the run. -#}
{% macro _limit_billed_bytes(request) %}
    {%- do request.update({'limits': dict({'bytes': 107374182400}, **request.limits)}) -%}
{% endmacro %}


{#- The rows of a query, whose bytes the adapter tells in a field of its response. -#}
{% macro _fetch_counted(sql, field) %}
    {%- set response, table = adapter.execute(sql, auto_begin=false, fetch=true) -%}
    {%- set read = context.setdefault('backfill_safety_read', {'bytes': 0}) -%}
    {%- do read.update({'bytes': read.bytes + (response[field] or 0)}) -%}
    {%- set rows = [] -%}
    {%- for row in table.rows -%} {%- do rows.append(row.values() | list) -%} {%- endfor -%}
    {%- do return(rows) -%}
{% endmacro %}
