{#- Trino on Iceberg: each statement is a snapshot of its own; a unit is one MERGE. Tables of Hive have trino_hive.sql; other connectors are
    refused.
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


{% macro trino___check_target(request) %}
    {%- set connector = backfill_safety._trino_connector(request.relation) -%}
    {%- if connector == 'hive' -%} {%- do backfill_safety._check_hive_target(request) -%}
    {%- elif connector != 'iceberg' -%}
        {%- do backfill_safety._refuse(request.relation ~ ' lies in a catalog of the connector ' ~ connector
            ~ '; only tables of Iceberg and of Hive are replaced here: move it to an Iceberg catalog') -%}
    {%- endif -%}
    {%- do backfill_safety._refuse_without_backup(request) -%}
{% endmacro %}


{#- What reads and writes a table; asked once. https://trino.io/docs/current/connector/system.html: metadata of catalogs -#}
{% macro _trino_connector(relation) %}
    {%- set known = context.setdefault('backfill_safety_connectors', {}) -%}
    {%- if relation.database not in known -%}
        {%- set rows = backfill_safety._fetch('select connector_name from system.metadata.catalogs where catalog_name = '
            ~ backfill_safety._quoted(relation.database)) -%}
        {%- do known.update({relation.database: rows[0][0] if rows else 'unknown'}) -%}
    {%- endif -%}
    {%- do return(known[relation.database]) -%}
{% endmacro %}


{#- Of the one table that is replaced, which has been looked at by then. -#}
{% macro trino___overwrites_at_once() %}
    {%- do return('hive' not in context.get('backfill_safety_connectors', {}).values()) -%}
{% endmacro %}


{% macro trino___create_stage_sql(stage, relation) %}
    {%- do return(backfill_safety.trino___create_like_sql(stage, '*', relation)) -%}
{% endmacro %}


{#- What a killed attempt of the same id left is made anew. -#}
{% macro trino___create_like_sql(table, columns, relation) %}
    {%- do return(['drop table if exists ' ~ table, 'create table ' ~ table
        ~ (backfill_safety._hive_partitions_clause(relation) if backfill_safety._trino_connector(relation) == 'hive' else '')
        ~ ' as select ' ~ columns ~ ' from ' ~ relation ~ ' where 1 = 0']) -%}
{% endmacro %}


{% macro trino___fill_stage_sql(stage, names, query) %}
    {%- do return(['delete from ' ~ stage, 'insert into ' ~ stage ~ ' (' ~ names ~ ') ' ~ query]) -%}
{% endmacro %}


{#- https://trino.io/docs/current/sql/merge.html -#}
{% macro trino___overwrite_sql(table, source, partitions, side) %}
    {%- if backfill_safety._trino_connector(table) == 'hive' -%}
        {%- do return(backfill_safety._hive_overwrite_sql(table, source, partitions[0].predicate)) -%}
    {%- endif -%}
    {%- do return(backfill_safety._merge_by_value_sql(table, source, partitions[0])) -%}
{% endmacro %}


{#- Of each table, where there are statistics of it; "NaN" where there are none.
    https://trino.io/docs/current/sql/explain.html#explain-type-io -#}
{% macro trino___reads(sql) %}
    {%- set answer = backfill_safety._answered_object(backfill_safety._fetch('explain (type io, format json) ' ~ sql)) -%}
    {%- set parts = [] -%}
    {%- for table in answer.get('inputTableColumnInfos') or [] -%} {%- do parts.append(table.estimate) -%} {%- endfor -%}
    {%- do return(backfill_safety._told({'outputRowCount': 'rows', 'outputSizeInBytes': 'bytes'}, parts)) -%}
{% endmacro %}


{% macro trino___estimate(plan) %}
    {%- do return(backfill_safety._explained_estimate(plan)) -%}
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


{#- Iceberg takes microseconds alone, Hive milliseconds unless hive.timestamp-precision says otherwise; those fit into both.
    https://trino.io/docs/current/connector/iceberg.html#type-mapping
    https://trino.io/docs/current/connector/hive.html#general-configuration -#}
{% macro trino___plain_timestamp() %}
    {%- do return('timestamp(6)' if backfill_safety.trino___overwrites_at_once() else 'timestamp(3)') -%}
{% endmacro %}


{% macro trino___cast_types() %}
    {%- do return({'text': 'varchar', 'integer': 'bigint', 'timestamp': 'timestamp(3)'}) -%}
{% endmacro %}


{% macro trino___now_sql() %}
    {%- do return("cast(current_timestamp at time zone 'UTC' as timestamp(3))") -%}
{% endmacro %}
