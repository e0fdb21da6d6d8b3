{#- What a column's declared type means for units: date, timestamp, timestamptz, integer, text or other. -#}
{% macro _column_kind(data_type) %}
    {%- do return(backfill_safety._engine('_column_kind')(data_type | lower | trim)) -%}
{% endmacro %}


{% macro default___column_kind(data_type) %}
    {#- a list of something, such as varchar[] or array<int>, is nothing that units are cut by -#}
    {%- if data_type.endswith(']') or '<' in data_type -%} {%- do return('other') -%} {%- endif -%}
    {%- if data_type == 'date' -%} {%- do return('date') -%} {%- endif -%}
    {%- if modules.re.match('timestamp.*with time zone|timestamptz|timestamp_(tz|ltz)', data_type) -%}
        {%- do return('timestamptz') -%}
    {%- endif -%}
    {%- if modules.re.match('timestamp|datetime', data_type) -%} {%- do return('timestamp') -%} {%- endif -%}
    {%- set integers = '(u?(tiny|small|big|huge|medium)?int(eger|\\d+)?|long|short|(number|decimal|numeric)\\(\\d+, ?0\\))$' -%}
    {%- if modules.re.match(integers, data_type) -%}
        {%- do return('integer') -%}
    {%- endif -%}
    {%- if modules.re.match('text|(n?var)?char|character|string|enum|uuid', data_type) -%} {%- do return('text') -%} {%- endif -%}
    {%- do return('other') -%}
{% endmacro %}


{#- TIMESTAMP is an instant there; TIMESTAMP_NTZ has no zone.
    https://spark.apache.org/docs/3.5.1/sql-ref-datatypes.html -#}
{% macro spark___column_kind(data_type) %}
    {%- do return('timestamptz' if data_type == 'timestamp' else backfill_safety.default___column_kind(data_type)) -%}
{% endmacro %}
