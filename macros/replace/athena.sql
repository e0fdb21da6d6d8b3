{#- Athena on Iceberg: as Trino, of which it is a version, but for DDL, which it reads in the words of Hive. Hive tables are refused: an
    overwrite removes their files before it writes. https://docs.aws.amazon.com/athena/latest/ug/querying-iceberg-merge-into.html -#}
{% macro athena___proof() %}
    {%- do return({'engine': 'athena', 'is': 'generated'}) -%}
{% endmacro %}


{% macro athena___has_transactions() %}
    {%- do return(false) -%}
{% endmacro %}


{% macro athena___end_transaction() %}
{% endmacro %}


{#- Names stand in backticks in DDL and in double quotes elsewhere. https://docs.aws.amazon.com/athena/latest/ug/reserved-words.html -#}
{% macro athena___run(statements) %}
    {%- set written = [] -%}
    {%- for statement in statements -%}
        {%- do written.append(statement | replace('"', '`') if statement.startswith('drop table') else statement) -%}
    {%- endfor -%}
    {%- do return(backfill_safety._run_each(written)) -%}
{% endmacro %}


{% macro athena___replace_methods() %}
    {%- do return(['merge']) -%}
{% endmacro %}


{% macro athena___check_target(request) %}
    {%- set kind = request.node.config.get('table_type') or 'hive' -%}
    {%- if kind != 'iceberg' -%}
        {%- do backfill_safety._refuse(request.relation ~ ' is a table of ' ~ kind ~ '; only tables of Iceberg are replaced here: set '
            ~ 'table_type: iceberg and rebuild it once') -%}
    {%- endif -%}
    {%- do backfill_safety._refuse_without_backup(request) -%}
    {%- do backfill_safety._limit_billed_bytes(request) -%}
{% endmacro %}


{#- Billed bytes are counted while a run goes on. Before it nothing tells them: EXPLAIN has no TYPE IO since version 3.
    https://docs.aws.amazon.com/athena/latest/ug/athena-explain-statement.html -#}
{% macro athena___fetch(sql) %}
    {%- do return(backfill_safety._fetch_counted(sql, 'data_scanned_in_bytes')) -%}
{% endmacro %}


{#- Where a table of the run's own lies: below what the profile says. -#}
{% macro _athena_location(table) %}
    {%- set folder = target.get('s3_data_dir') -%}
    {%- if not folder -%}
        {%- do backfill_safety._refuse('s3_data_dir is missing in the profile; it says where the tables of the ledger lie') -%}
    {%- endif -%}
    {%- do return((folder ~ '/' if not folder.endswith('/') else folder) ~ table.schema ~ '/' ~ table.identifier ~ '/') -%}
{% endmacro %}


{#- https://docs.aws.amazon.com/athena/latest/ug/create-table-as.html: CTAS into Iceberg needs is_external = false and a place -#}
{% macro athena___create_like_sql(table, columns, relation) %}
    {%- do return([
        'drop table if exists ' ~ table,
        'create table ' ~ table ~ " with (table_type = 'ICEBERG', is_external = false, location = '"
        ~ backfill_safety._athena_location(table) ~ "') as select " ~ columns ~ ' from ' ~ relation ~ ' where 1 = 0',
    ]) -%}
{% endmacro %}


{% macro athena___create_stage_sql(stage, relation) %}
    {%- do return(backfill_safety.athena___create_like_sql(stage, '*', relation)) -%}
{% endmacro %}


{#- https://docs.aws.amazon.com/athena/latest/ug/querying-iceberg-creating-tables.html -#}
{% macro athena___create_missing_sql(table, columns) %}
    {%- do return(['create table if not exists ' ~ table | string | replace('"', '`') ~ ' (' ~ columns | join(', ') ~ ") location '"
        ~ backfill_safety._athena_location(table) ~ "' tblproperties ('table_type' = 'ICEBERG')"]) -%}
{% endmacro %}


{#- https://docs.aws.amazon.com/athena/latest/ug/data-types.html: string in DDL, varchar in queries -#}
{% macro athena___ledger_types() %}
    {%- do return({'text': 'string', 'integer': 'bigint', 'timestamp': 'timestamp'}) -%}
{% endmacro %}


{% macro athena___cast_types() %}
    {%- do return({'text': 'varchar', 'integer': 'bigint', 'timestamp': 'timestamp(6)'}) -%}
{% endmacro %}


{#- https://docs.aws.amazon.com/athena/latest/ug/querying-iceberg-evolving-table-schema.html -#}
{% macro athena___add_column_sql(relation, column) %}
    {%- set type = 'string' if backfill_safety._column_kind(column.data_type) == 'text' else column.data_type -%}
    {%- do return('alter table ' ~ relation | string | replace('"', '`') ~ ' add columns (`' ~ column.name ~ '` ' ~ type ~ ')') -%}
{% endmacro %}


{% macro athena___fill_stage_sql(stage, names, query) %}
    {%- do return(['delete from ' ~ stage, 'insert into ' ~ stage ~ ' (' ~ names ~ ') ' ~ query]) -%}
{% endmacro %}


{#- https://docs.aws.amazon.com/athena/latest/ug/merge-into-statement.html -#}
{% macro athena___overwrite_sql(table, source, partitions, side) %}
    {%- do return(backfill_safety._merge_by_value_sql(table, source, partitions[0])) -%}
{% endmacro %}


{#- https://docs.aws.amazon.com/athena/latest/ug/functions-env3.html: the functions of Trino -#}
{% macro athena___checksum_of(expressions) %}
    {%- do return(backfill_safety.trino___checksum_of(expressions)) -%}
{% endmacro %}


{% macro athena___distinct_rows(expressions) %}
    {%- do return(backfill_safety.trino___distinct_rows(expressions)) -%}
{% endmacro %}


{% macro athena___literal(text, kind) %}
    {%- do return(backfill_safety.trino___literal(text, kind)) -%}
{% endmacro %}


{% macro athena___now_sql() %}
    {%- do return("cast(current_timestamp at time zone 'UTC' as timestamp(6))") -%}
{% endmacro %}
