{#- ClickHouse: no transactions; a partition is replaced whole, by one atomic statement. -#}
{% macro clickhouse___has_transactions() %}
    {%- do return(false) -%}
{% endmacro %}


{% macro clickhouse___end_transaction() %}
{% endmacro %}


{% macro clickhouse___run(statements) %}
    {%- do return(backfill_safety._run_each(statements)) -%}
{% endmacro %}


{#- The client's own rows: dbt's cursor gives none, and agate guesses types. A model's SQL runs under the model's query_settings, as
    dbt runs it, and may fill as many partitions as a window has; in the package's own an alias must not hide a column of the same name,
    as it does there by default. https://clickhouse.com/docs/operations/settings/settings#prefer_column_name_to_alias
    https://clickhouse.com/docs/operations/settings/settings#max_partitions_per_insert_block -#}
{% macro clickhouse___fetch(sql) %}
    {%- set connection = context.get('backfill_safety_connection') -%}
    {%- if connection is none -%}
        {%- set connection = adapter.add_query('select 1', auto_begin=false)[0] -%}
        {%- do context.update({'backfill_safety_connection': connection}) -%}
    {%- endif -%}
    {%- do log('backfill_safety: ' ~ sql) -%}
    {%- set settings = {'prefer_column_name_to_alias': 1} -%}
    {%- if ' as backfill_rows' in sql -%}
        {%- set settings = dict({'max_partitions_per_insert_block': 0}, **context.get('backfill_safety_query_settings', {})) -%}
    {%- endif -%}
    {%- if modules.re.match('(?i)\\s*(select|with|explain|describe)\\b', sql) -%}
        {%- do return(connection.handle.query(sql, settings=settings).result_set) -%}
    {%- endif -%}
    {%- do connection.handle.command(sql, settings=settings) -%}
    {%- do return([]) -%}
{% endmacro %}


{#- Of a tuple: a NULL among several arguments makes the hash of all of them NULL. Sums of UInt64 wrap, and of no rows are NULL.
    https://clickhouse.com/docs/sql-reference/functions/hash-functions#cityHash64 -#}
{% macro clickhouse___checksum_of(expressions) %}
    {%- do return('toString(sumOrNull(cityHash64(tuple(' ~ expressions | join(', ') ~ '))))') -%}
{% endmacro %}


{% macro clickhouse___distinct_rows(expressions) %}
    {%- do return('uniqExact(cityHash64(tuple(' ~ expressions | join(', ') ~ ')))') -%}
{% endmacro %}


{#- Without OrNull the maximum of no rows is the type's default: 1970-01-01.
    https://clickhouse.com/docs/sql-reference/aggregate-functions/combinators#-ornull -#}
{% macro clickhouse___newest_sql(column) %}
    {%- do return('toString(maxOrNull(' ~ column ~ '))') -%}
{% endmacro %}


{% macro clickhouse___rounded_sql(quoted, data_type) %}
    {%- do return('toFloat32(' ~ quoted ~ ')' if modules.re.match('(nullable\\()?float', data_type) else quoted) -%}
{% endmacro %}


{#- What a column can be told apart by; DateTime is an instant, whatever its zone shows.
    https://clickhouse.com/docs/sql-reference/data-types/datetime -#}
{% macro clickhouse___column_kind(data_type) %}
    {%- set type = modules.re.sub('^lowcardinality\\((.*)\\)$', '\\1', data_type) -%}
    {%- set type = modules.re.sub('^nullable\\((.*)\\)$', '\\1', type) -%}
    {%- if type in ['date', 'date32'] -%} {%- do return('date') -%} {%- endif -%}
    {%- if modules.re.match('datetime', type) -%} {%- do return('timestamptz') -%} {%- endif -%}
    {%- if modules.re.match('u?int\\d+$', type) -%} {%- do return('integer') -%} {%- endif -%}
    {%- if modules.re.match('(fixed)?string|enum|uuid', type) -%} {%- do return('text') -%} {%- endif -%}
    {%- do return('other') -%}
{% endmacro %}


{#- A text that is compared with a Date or a Date32 becomes one, in the range of that type; an instant is written with its zone.
    https://clickhouse.com/docs/sql-reference/functions/type-conversion-functions#toDateTime64 -#}
{% macro clickhouse___literal(text, kind) %}
    {%- if kind == 'date' -%} {%- do return(backfill_safety._quoted(text)) -%} {%- endif -%}
    {%- if kind in ['timestamp', 'timestamptz'] -%}
        {%- do return('toDateTime64(' ~ backfill_safety._quoted(text) ~ ", 0, 'UTC')") -%}
    {%- endif -%}
    {%- do return(backfill_safety.default___literal(text, kind)) -%}
{% endmacro %}


{#- https://clickhouse.com/docs/sql-reference/syntax#string -#}
{% macro clickhouse___quoted(text) %}
    {%- do return("'" ~ text | replace('\\', '\\\\') | replace("'", "\\'") | replace('\n', '\\n') ~ "'") -%}
{% endmacro %}


{#- https://clickhouse.com/docs/sql-reference/functions/date-time-functions#now64 -#}
{% macro clickhouse___now_sql() %}
    {%- do return("now64(6, 'UTC')") -%}
{% endmacro %}


{#- A column holds no NULL unless its type says so. https://clickhouse.com/docs/sql-reference/data-types/nullable -#}
{% macro clickhouse___ledger_types() %}
    {%- do return({'text': 'Nullable(String)', 'integer': 'Nullable(Int64)', 'timestamp': "Nullable(DateTime64(6, 'UTC'))"}) -%}
{% endmacro %}


{% macro clickhouse___log_clause() %}
    {%- do return(' engine = MergeTree order by tuple()') -%}
{% endmacro %}


{#- At most three seconds a block, so each row is a block; and well below the five minutes that the client waits for an answer.
    https://clickhouse.com/docs/sql-reference/functions/other-functions#sleepEachRow -#}
{% macro clickhouse___rest(seconds) %}
    {%- set rows = [seconds | round(0, 'ceil') | int, 1] | max -%}
    {%- for chunk in backfill_safety._times(rows) | batch(60) -%}
        {%- do backfill_safety._fetch('select max(sleepEachRow(' ~ seconds / rows ~ ')) from numbers(' ~ chunk | length
            ~ ') settings max_block_size = 1') -%}
    {%- endfor -%}
{% endmacro %}


{#- What a query reads of MergeTree tables; of others nothing is told.
    https://clickhouse.com/docs/sql-reference/statements/explain#explain-estimate -#}
{% macro clickhouse___scans(sql) %}
    {%- set scans = [] -%}
    {%- for database, name, _, rows, _ in backfill_safety._fetch('explain estimate select * from (\n' ~ sql ~ '\n) as backfill_rows') -%}
        {%- do scans.append({'table': database ~ '.' ~ name, 'rows': rows, 'size': rows}) -%}
    {%- endfor -%}
    {%- if not scans -%} {%- do return(none) -%} {%- endif -%}
    {%- set names = [] -%}
    {%- for scan in scans -%} {%- do names.append(backfill_safety._quoted(scan.table)) -%} {%- endfor -%}
    {%- set sizes = {} -%}
    {%- for name, size in backfill_safety._fetch(
        "select concat(database, '.', name) as full_name, total_rows from system.tables where total_rows is not null and full_name in ("
        ~ names | unique | join(', ') ~ ')'
    ) -%} {%- do sizes.update({name: size}) -%} {%- endfor -%}
    {%- for scan in scans -%} {%- do scan.update({'size': [sizes.get(scan.table, 0), scan.rows] | max}) -%} {%- endfor -%}
    {%- do return(scans) -%}
{% endmacro %}


{#- https://clickhouse.com/docs/sql-reference/statements/describe-table -#}
{% macro clickhouse___query_columns(sql) %}
    {%- set columns = [] -%}
    {%- for row in backfill_safety._fetch('describe (select * from (\n' ~ sql ~ '\n) as backfill_rows)') -%}
        {%- do columns.append({'name': row[0], 'data_type': row[1]}) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{% endmacro %}


{#- Views that ClickHouse fills from what is inserted: they are filled neither by a replaced partition nor by an undo.
    https://clickhouse.com/docs/sql-reference/statements/create/view#materialized-view -#}
{% macro clickhouse___attached_sql(relation) %}
    {%- do return(
        "select 'materialized view' as what, concat(v.1, '.', v.2) as name, '' as place, '' as how from (select "
        ~ 'arrayJoin(arrayZip(dependencies_database, dependencies_table)) as v from system.tables where database = '
        ~ backfill_safety._quoted(relation.schema) ~ ' and name = ' ~ backfill_safety._quoted(relation.identifier) ~ ') as views order by 2'
    ) -%}
{% endmacro %}


{% macro clickhouse___replace_methods() %}
    {%- do return(['replace_partition']) -%}
{% endmacro %}
