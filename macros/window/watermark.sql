{#- The literal of the live cursor; documented in macros.yml. -#}
{% macro watermark(column) %}
    {%- if not execute -%} {%- do return('null') -%} {%- endif -%}
    {%- set state = context.get('backfill_safety_render') -%}
    {%- if state is not none -%}
        {%- do state.notes.watermarks.append(column) -%}
        {%- do return('(select max(' ~ column ~ ') from ' ~ context['this'] ~ ')') -%}
    {%- endif -%}
    {%- if not is_incremental() -%} {%- do return('null') -%} {%- endif -%}
    {%- set mark = backfill_safety._watermark_value(column) -%}
    {%- do return('null' if mark is none else backfill_safety._literal(mark.text, mark.kind)) -%}
{% endmacro %}


{#- max(column) of the model's own table as {text, kind}; none where the table is empty. -#}
{% macro _watermark_value(name) %}
    {%- set column = backfill_safety._find_column(adapter.get_columns_in_relation(this), name) -%}
    {%- if column is none -%}
        {%- do backfill_safety._refuse(this ~ " has no column '" ~ name
            ~ "'; name the column that holds the watermark with target_column") -%}
    {%- endif -%}
    {%- set kind = backfill_safety._column_kind(column.data_type) -%}
    {%- set value = run_query('select max(' ~ backfill_safety._quote(column.name) ~ ') as watermark from ' ~ this).rows[0][0] -%}
    {%- if value is none -%} {%- do return(none) -%} {%- endif -%}
    {%- if kind == 'timestamptz' and value.astimezone is defined and value.tzinfo -%}
        {%- set value = value.astimezone(modules.pytz.utc).replace(tzinfo=none) -%}
    {%- endif -%}
    {%- if kind == 'integer' -%} {%- do return({'text': value | int, 'kind': kind}) -%} {%- endif -%}
    {%- set text = value.isoformat(' ') if kind.startswith('timestamp') else (value.isoformat()[:10] if kind == 'date'
        else value | string) -%}
    {%- do return({'text': text, 'kind': kind}) -%}
{% endmacro %}
