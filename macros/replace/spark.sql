{#- Spark: no transactions. Tables of files (Parquet, ORC) have no DELETE, and a partition is overwritten whole: spark_partitions.sql;
    what is otherwise for tables of Iceberg is asked of spark_iceberg.sql. -#}
{% macro spark___has_transactions() %}
    {%- do return(false) -%}
{% endmacro %}


{#- https://spark.apache.org/docs/3.5.1/sql-ref-syntax-dml-insert-table.html: old files go before new ones come. -#}
{% macro spark___overwrites_at_once() %}
    {%- do return(context.get('backfill_safety_target_is_iceberg', false)) -%}
{% endmacro %}


{% macro spark___end_transaction() %}
{% endmacro %}


{% macro spark___run(statements) %}
    {%- do return(backfill_safety._run_each(statements)) -%}
{% endmacro %}


{#- The cursor's own rows: agate guesses types, and numbers come out as decimals. -#}
{% macro spark___fetch(sql) %}
    {%- do return(adapter.add_query(sql, auto_begin=false)[1].fetchall() or []) -%}
{% endmacro %}


{#- xxhash64 passes over NULLs, so each value is followed by whether it is one; the sum of BIGINTs would overflow.
    https://spark.apache.org/docs/3.5.1/api/sql/index.html#xxhash64 -#}
{% macro spark___checksum_of(expressions) %}
    {%- do return('cast(sum(cast(' ~ backfill_safety._spark_hash(expressions) ~ ' as decimal(38, 0))) as string)') -%}
{% endmacro %}


{% macro spark___distinct_rows(expressions) %}
    {%- do return('count(distinct ' ~ backfill_safety._spark_hash(expressions) ~ ')') -%}
{% endmacro %}


{% macro _spark_hash(expressions) %}
    {%- set parts = [] -%}
    {%- for expression in expressions -%} {%- do parts.append(expression ~ ', ' ~ expression ~ ' is null') -%} {%- endfor -%}
    {%- do return('xxhash64(' ~ parts | join(', ') ~ ')') -%}
{% endmacro %}


{#- A literal with a zone is an instant whatever spark.sql.timestampType says; the other has its own name.
    https://spark.apache.org/docs/3.5.1/sql-ref-literals.html#datetime-literal -#}
{% macro spark___literal(text, kind) %}
    {%- if kind == 'timestamp' -%} {%- do return('timestamp_ntz ' ~ backfill_safety._quoted(text)) -%} {%- endif -%}
    {%- if kind == 'timestamptz' -%} {%- do return('timestamp ' ~ backfill_safety._quoted(text ~ '+00:00')) -%} {%- endif -%}
    {%- do return(backfill_safety.default___literal(text, kind)) -%}
{% endmacro %}


{#- A backslash escapes, and two quotes are two literals side by side, joined without the quote.
    https://spark.apache.org/docs/3.5.1/sql-ref-literals.html#string-literal -#}
{% macro spark___quoted(text) %}
    {%- do return("'" ~ text | replace('\\', '\\\\') | replace("'", "\\'") | replace('\n', '\\n') ~ "'") -%}
{% endmacro %}


{% macro spark___now_sql() %}
    {%- do return('cast(to_utc_timestamp(current_timestamp(), current_timezone()) as timestamp_ntz)') -%}
{% endmacro %}


{% macro spark___plain_timestamp() %}
    {%- do return('timestamp_ntz') -%}
{% endmacro %}


{#- https://spark.apache.org/docs/3.5.1/api/sql/index.html#java_method -#}
{% macro spark___rest(seconds) %}
    {%- do backfill_safety._fetch("select java_method('java.lang.Thread', 'sleep', cast(" ~ (seconds * 1000) | int ~ ' as bigint))') -%}
{% endmacro %}


{#- https://spark.apache.org/docs/3.5.1/sql-ref-syntax-aux-describe-query.html -#}
{% macro spark___query_columns(sql) %}
    {%- set columns = [] -%}
    {%- for row in backfill_safety._fetch('describe query ' ~ sql) -%}
        {%- do columns.append({'name': row[0], 'data_type': row[1]}) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{% endmacro %}


{% macro spark___replace_methods() %}
    {%- do return(['insert_overwrite', 'merge']) -%}
{% endmacro %}


{#- Without a format Spark makes a Hive table of text; a catalog that has tables of Iceberg alone makes one of them. -#}
{% macro spark___log_clause() %}
    {%- do return(' using parquet') -%}
{% endmacro %}


{#- Cut into the same partitions as the other, so that one of them can be overwritten. What a killed run of the same id left is
    made anew. -#}
{% macro spark___create_like_sql(table, columns, relation) %}
    {%- if backfill_safety._is_iceberg(relation) -%} {%- do return(backfill_safety._iceberg_like_sql(table, relation)) -%} {%- endif -%}
    {%- set names = backfill_safety._quoted_names(backfill_safety._spark_partitions(relation) | map(attribute='name')) | join(', ') -%}
    {%- do return([
        'drop table if exists ' ~ table,
        'create table ' ~ table ~ ' using parquet' ~ (' partitioned by (' ~ names ~ ')' if names else '')
        ~ ' as select * from ' ~ relation ~ ' where 1 = 0',
    ]) -%}
{% endmacro %}


{#- Without partitions: an overwrite then replaces all of it, whatever the mode. -#}
{% macro spark___create_stage_sql(stage, relation) %}
    {%- if backfill_safety._is_iceberg(relation) -%} {%- do return(backfill_safety._iceberg_like_sql(stage, relation)) -%} {%- endif -%}
    {%- do return([
        'drop table if exists ' ~ stage,
        'create table ' ~ stage ~ ' using parquet as select * from ' ~ relation ~ ' where 1 = 0',
    ]) -%}
{% endmacro %}


{% macro spark___fill_stage_sql(stage, names, query) %}
    {%- if backfill_safety._is_iceberg(stage) -%} {%- do return(backfill_safety._iceberg_fill_sql(stage, names, query)) -%} {%- endif -%}
    {%- do return(backfill_safety.default___fill_stage_sql(stage, names, query)) -%}
{% endmacro %}
