{#- How far the SQL for an engine has been tried: on the engine itself, on an emulator of it, or not at all. What nobody has seen run is
    said in every plan (P10); an engine that the package has no file for is blocked until somebody takes it on. -#}
{% macro _proof_findings() %}
    {%- set known = backfill_safety._engine('_proof')() -%}
    {#- an adapter that is built on another one has its macros as well, and is another engine all the same -#}
    {%- set proof = known.is if known.engine == target.type else none -%}
    {%- do return([] if proof == 'real' else [backfill_safety._unproved_finding(proof)]) -%}
{% endmacro %}


{% macro _unproved_finding(proof) %}
    {%- set tried = {
        'emulated': ' has run on an emulator alone, never on ' ~ target.type ~ ' itself',
        'generated': ' is reviewed against its documentation and parsed in its dialect, but has never run',
    } -%}
    {%- if proof in tried -%}
        {%- do return(backfill_safety._finding('BF110', 'warn', 'the SQL for ' ~ target.type ~ tried[proof],
            'try one unit on a copy of the table first, and compare')) -%}
    {%- endif -%}
    {%- do return(backfill_safety._finding(
        'BF110', 'block', target.type ~ ' is not among the engines that this package has SQL for: how it replaces a unit is not known',
        'write its file as docs/engines.md shows, or write accept: {BF110: reason} after a try on a copy of the table'
    )) -%}
{% endmacro %}


{#- {engine, is}: real, emulated or generated; none for an engine without a file of its own. docs/engines.md has the table. -#}
{% macro default___proof() %}
    {%- do return({'engine': none, 'is': none}) -%}
{% endmacro %}


{% macro duckdb___proof() %}
    {%- do return({'engine': 'duckdb', 'is': 'real'}) -%}
{% endmacro %}


{% macro postgres___proof() %}
    {%- do return({'engine': 'postgres', 'is': 'real'}) -%}
{% endmacro %}


{% macro spark___proof() %}
    {%- do return({'engine': 'spark', 'is': 'real'}) -%}
{% endmacro %}


{% macro clickhouse___proof() %}
    {%- do return({'engine': 'clickhouse', 'is': 'real'}) -%}
{% endmacro %}
