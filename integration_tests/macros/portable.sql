{#- A point in time as text; the format is strftime's. -#}
{% macro as_text(expression, format) %}
    {{- adapter.dispatch('as_text', 'shop')(expression, format) -}}
{% endmacro %}


{% macro default__as_text(expression, format) %}
    {{- "strftime(" ~ expression ~ ", '" ~ format ~ "')" -}}
{% endmacro %}


{% macro postgres__as_text(expression, format) %}
    {%- set codes = format | replace('%Y', 'YYYY') | replace('%m', 'MM') | replace('%d', 'DD') | replace('%H', 'HH24')
        | replace('T', '"T"') -%}
    {{- "to_char(" ~ expression ~ ", '" ~ codes ~ "')" -}}
{% endmacro %}


{#- A function of x that is gone at the end of the session; it is called by `in_session(name)`. -#}
{% macro session_function(name, body) %}
    {{- adapter.dispatch('session_function', 'shop')(name, body) -}}
{% endmacro %}


{% macro default__session_function(name, body) %}
    {{- 'create or replace temp macro ' ~ name ~ '(x) as ' ~ body ~ ';' -}}
{% endmacro %}


{% macro postgres__session_function(name, body) %}
    {{- 'create or replace function pg_temp.' ~ name ~ "(x numeric) returns numeric language sql as 'select " ~ body ~ "';" -}}
{% endmacro %}


{% macro in_session(name) %}
    {{- ('pg_temp.' if target.type == 'postgres' else 'temp.') ~ name -}}
{% endmacro %}
