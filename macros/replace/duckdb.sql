{#- DuckDB: one process holds the file; a script is one round trip; DDL is transactional. -#}
{% macro duckdb___holds_database_alone() %}
    {%- do return(true) -%}
{% endmacro %}


{% macro duckdb___run(statements) %}
    {%- do return(backfill_safety.duckdb___fetch(statements | join(';\n'))) -%}
{% endmacro %}


{#- DuckDB refuses a commit where nothing was begun; dbt knows whether it began. -#}
{% macro duckdb___end_transaction() %}
    {%- do adapter.commit() -%}
{% endmacro %}


{#- https://duckdb.org/docs/stable/sql/statements/create_table#generated-columns -#}
{% macro duckdb___generated_columns(relation) %}
    {%- set names = [] -%}
    {%- for row in backfill_safety._fetch('select column_name from information_schema.columns where table_catalog = '
        ~ backfill_safety._quoted(relation.database) ~ ' and table_schema = ' ~ backfill_safety._quoted(relation.schema)
        ~ ' and table_name = ' ~ backfill_safety._quoted(relation.identifier) ~ " and is_generated = 'ALWAYS'") -%}
        {%- do names.append(row[0]) -%}
    {%- endfor -%}
    {%- do return(names) -%}
{% endmacro %}


{#- The cursor's own rows: an agate table costs more than the query. -#}
{% macro duckdb___fetch(sql) %}
    {%- do return(adapter.add_query(sql, auto_begin=false)[1].fetchall()) -%}
{% endmacro %}


{#- https://duckdb.org/docs/stable/sql/functions/utility: hash(value, …) → UBIGINT; the sum is a HUGEINT. -#}
{% macro duckdb___checksum_of(expressions) %}
    {%- do return('cast(sum(hash(' ~ expressions | join(', ') ~ ')) as varchar)') -%}
{% endmacro %}


{% macro duckdb___distinct_rows(expressions) %}
    {%- do return('count(distinct hash(' ~ expressions | join(', ') ~ '))') -%}
{% endmacro %}


{#- https://duckdb.org/docs/stable/sql/functions/utility: sleep_ms(milliseconds) -#}
{% macro duckdb___rest(seconds) %}
    {%- do backfill_safety._fetch('select sleep_ms(' ~ (seconds * 1000) | int ~ ')') -%}
{% endmacro %}


{#- "Table" and "Estimated Cardinality" of each scan stand in EXPLAIN (FORMAT json), a table's size in duckdb_tables().
    https://duckdb.org/docs/stable/guides/meta/explain -#}
{% macro duckdb___scans(sql) %}
    {%- set leaves = backfill_safety._plan_leaves(fromjson(backfill_safety._fetch('explain (format json) ' ~ sql)[0][1])) -%}
    {%- set names = [] -%}
    {%- for leaf in leaves if leaf.table -%} {%- do names.append(backfill_safety._quoted(leaf.table)) -%} {%- endfor -%}
    {%- if names -%}
        {%- set sizes = {} -%}
        {%- set full_name = "database_name || '.' || schema_name || '.' || table_name" -%}
        {%- for name, size in backfill_safety._fetch(
            'select ' ~ full_name ~ ', estimated_size from duckdb_tables() where ' ~ full_name ~ ' in (' ~ names | unique | join(', ') ~ ')'
        ) -%} {%- do sizes.update({name: size}) -%} {%- endfor -%}
        {%- for leaf in leaves -%} {%- do leaf.update({'size': sizes.get(leaf.table, leaf.rows)}) -%} {%- endfor -%}
    {%- endif -%}
    {%- do return(leaves) -%}
{% endmacro %}


{#- Where a plan begins to read. What it reads a second time from its own results, as for `count(distinct …)`, is no scan. -#}
{% macro _plan_leaves(nodes) %}
    {%- set leaves = [] -%}
    {%- for node in nodes if node.name not in ['CTE_SCAN', 'DELIM_SCAN'] -%}
        {%- if node.children -%}
            {%- do leaves.extend(backfill_safety._plan_leaves(node.children)) -%}
        {%- else -%}
            {%- set info = node.extra_info -%}
            {%- do leaves.append({
                'table': info.get('Table'),
                'rows': info.get('Estimated Cardinality', '0') | int,
                'size': info.get('Estimated Cardinality', '0') | int,
            }) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(leaves) -%}
{% endmacro %}


{#- Groups that outgrow the processor's cache cost more than selects beside each other, which threads share. -#}
{% macro duckdb___units_in_select(plan) %}
    {%- do return(backfill_safety._units_of_rows(plan, 250000)) -%}
{% endmacro %}


{% macro duckdb___filled_columns(relation) %}
    {%- do return(backfill_safety.postgres___filled_columns(relation)) -%}
{% endmacro %}


{#- MotherDuck, DuckLake and what else can be attached beside files.
    https://duckdb.org/docs/stable/sql/meta/duckdb_table_functions#duckdb_databases -#}
{% macro duckdb___shared_database(relation) %}
    {%- set rows = backfill_safety._fetch("select coalesce(max(type), 'unknown') from duckdb_databases() where lower(database_name) = "
        ~ backfill_safety._quoted(relation.database | lower)) -%}
    {%- do return(none if rows[0][0] == 'duckdb' else rows[0][0]) -%}
{% endmacro %}
