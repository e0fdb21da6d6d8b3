{#- Trino on Iceberg: each statement is a snapshot of its own; a unit is one MERGE. Other connectors are refused.
    https://trino.io/docs/current/connector/iceberg.html#data-management -#}
{% macro trino___proof() %}
    {%- do return({'engine': 'trino', 'is': 'generated'}) -%}
{% endmacro %}


{% macro trino___has_transactions() %}
    {%- do return(false) -%}
{% endmacro %}


{% macro trino___end_transaction() %}
{% endmacro %}


{% macro trino___run(statements) %}
    {%- do return(backfill_safety._run_each(statements)) -%}
{% endmacro %}


{% macro trino___replace_methods() %}
    {%- do return(['merge']) -%}
{% endmacro %}


{#- https://trino.io/docs/current/connector/system.html: metadata of catalogs -#}
{% macro trino___check_target(request) %}
    {%- set rows = backfill_safety._fetch('select connector_name from system.metadata.catalogs where catalog_name = '
        ~ backfill_safety._quoted(request.relation.database)) -%}
    {%- set connector = rows[0][0] if rows else 'unknown' -%}
    {%- if connector != 'iceberg' -%}
        {%- do backfill_safety._refuse(request.relation ~ ' lies in a catalog of the connector ' ~ connector
            ~ '; only tables of Iceberg are replaced here: move it to an Iceberg catalog') -%}
    {%- endif -%}
    {%- do backfill_safety._refuse_without_backup(request) -%}
{% endmacro %}


{% macro trino___create_stage_sql(stage, relation) %}
    {%- do return(backfill_safety.trino___create_like_sql(stage, '*', relation)) -%}
{% endmacro %}


{#- What a killed attempt of the same id left is made anew. -#}
{% macro trino___create_like_sql(table, columns, relation) %}
    {%- do return(['drop table if exists ' ~ table, 'create table ' ~ table ~ ' as select ' ~ columns ~ ' from ' ~ relation
        ~ ' where 1 = 0']) -%}
{% endmacro %}


{% macro trino___fill_stage_sql(stage, names, query) %}
    {%- do return(['delete from ' ~ stage, 'insert into ' ~ stage ~ ' (' ~ names ~ ') ' ~ query]) -%}
{% endmacro %}


{#- https://trino.io/docs/current/sql/merge.html -#}
{% macro trino___overwrite_sql(table, source, partitions, side) %}
    {%- do return(backfill_safety._merge_by_value_sql(table, source, partitions[0])) -%}
{% endmacro %}


{#- Order does not count, NULLs and repeated rows do. https://trino.io/docs/current/functions/aggregate.html#checksum -#}
{% macro trino___checksum_of(expressions) %}
    {%- do return('lower(to_hex(checksum(row(' ~ expressions | join(', ') ~ '))))') -%}
{% endmacro %}


{% macro trino___distinct_rows(expressions) %}
    {%- do return('count(distinct row(' ~ expressions | join(', ') ~ '))') -%}
{% endmacro %}


{#- https://trino.io/docs/current/language/types.html#timestamp-p-with-time-zone -#}
{% macro trino___literal(text, kind) %}
    {%- if kind == 'timestamptz' -%} {%- do return('timestamp ' ~ backfill_safety._quoted(text ~ ' UTC')) -%} {%- endif -%}
    {%- do return(backfill_safety.default___literal(text, kind)) -%}
{% endmacro %}


{#- Iceberg keeps microseconds. https://trino.io/docs/current/connector/iceberg.html#type-mapping -#}
{% macro trino___plain_timestamp() %}
    {%- do return('timestamp(6)') -%}
{% endmacro %}


{% macro trino___now_sql() %}
    {%- do return("cast(current_timestamp at time zone 'UTC' as timestamp(6))") -%}
{% endmacro %}
