{#- A bound, kept as text, as a literal of the column's own kind, so that the engine can prune by it. -#}
{% macro _literal(text, kind) %}
    {%- do return(backfill_safety._engine('_literal')(text, kind)) -%}
{% endmacro %}


{% macro default___literal(text, kind) %}
    {%- if kind == 'integer' -%} {%- do return(text | string | int | string) -%} {%- endif -%}
    {%- if kind == 'date' -%} {%- do return("date " ~ backfill_safety._quoted(text)) -%} {%- endif -%}
    {%- if kind == 'timestamp' -%} {%- do return("timestamp " ~ backfill_safety._quoted(text)) -%} {%- endif -%}
    {%- if kind == 'timestamptz' -%}
        {%- do return("timestamp with time zone " ~ backfill_safety._quoted(text ~ '+00')) -%}
    {%- endif -%}
    {%- do return(backfill_safety._quoted(text)) -%}
{% endmacro %}


{% macro _literals(texts, kind) %}
    {%- set literals = [] -%}
    {%- for text in texts -%} {%- do literals.append(backfill_safety._literal(text, kind)) -%} {%- endfor -%}
    {%- do return(literals) -%}
{% endmacro %}


{#- What stands before and after a bound's text in its literal. The texts of bounds are made here, of digits and separators,
    so a commit need not quote them one by one. -#}
{% macro _literal_frame(kind) %}
    {%- do return(['', ''] if kind == 'integer' else backfill_safety._literal('~', kind).split('~')) -%}
{% endmacro %}


{#- A text as a string literal: quotes doubled; engines where a backslash escapes override this. -#}
{% macro _quoted(text) %}
    {%- do return(backfill_safety._engine('_quoted')(text | string)) -%}
{% endmacro %}


{% macro default___quoted(text) %}
    {%- do return("'" ~ text | replace("'", "''") ~ "'") -%}
{% endmacro %}


{% macro _quoted_or_null(text) %}
    {%- do return('null' if text is none else backfill_safety._quoted(text)) -%}
{% endmacro %}
