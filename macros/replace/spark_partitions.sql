{#- What can be replaced on Spark: whole partitions of a table of files, any rows of a table of Iceberg. Everything else is refused
    with the way out. -#}
{% macro spark___check_target(request) %}
    {%- set described = backfill_safety._spark_table(request.relation) -%}
    {%- if described.provider not in ['parquet', 'orc', 'iceberg'] -%}
        {%- do backfill_safety._refuse(
            request.relation ~ ' is stored as ' ~ (described.provider or 'something unknown') ~ '; only parquet, orc and iceberg tables '
            ~ 'are replaced here: set file_format to one of these and rebuild it once'
        ) -%}
    {%- endif -%}
    {%- set method = 'merge' if described.provider == 'iceberg' else 'insert_overwrite' -%}
    {%- if request.replace_by not in [none, method] -%}
        {%- do backfill_safety._refuse(request.relation ~ ' is stored as ' ~ described.provider ~ ', and not replaced by '
            ~ request.replace_by ~ '; write replace_by: ' ~ method ~ ', or leave it out') -%}
    {%- endif -%}
    {%- if described.provider == 'iceberg' -%} {%- do return(backfill_safety._check_iceberg_target(request)) -%} {%- endif -%}
    {%- set names = described.partitions | map(attribute='name') | list -%}
    {%- if not names -%}
        {%- do backfill_safety._refuse(
            request.relation ~ ' has no partitions, and an overwrite would replace all of it; set partition_by: ' ~ request.column
            ~ ' and rebuild it once'
        ) -%}
    {%- endif -%}
    {%- if request.column not in names -%}
        {%- do backfill_safety._refuse(
            'units of ' ~ request.column ~ ' cut the partitions of ' ~ request.relation ~ ' (' ~ names | join(', ')
            ~ '), which are replaced whole; write column: ' ~ names[0]
        ) -%}
    {%- endif -%}
    {%- for partition in described.partitions if partition.kind not in ['date', 'text', 'integer'] -%}
        {%- do backfill_safety._refuse(
            request.relation ~ ' is partitioned by ' ~ partition.name ~ ' of type ' ~ partition.type
            ~ '; only date, text and integer partitions are replaced: partition it by one of these and rebuild it once'
        ) -%}
    {%- endfor -%}
    {%- for name in request.where or {} if backfill_safety._find_column(described.partitions, name | string) is none -%}
        {%- do backfill_safety._refuse('where: ' ~ name ~ ' cuts the partitions of ' ~ request.relation ~ ' (' ~ names | join(', ')
            ~ '), which are replaced whole; leave it out') -%}
    {%- endfor -%}
    {%- if not request.backup -%}
        {%- do backfill_safety._refuse('backup: false is not available on ' ~ target.type
            ~ ': without transactions, the backup is all that is left of a unit when a run is killed; leave backup out') -%}
    {%- endif -%}
    {%- if request.expect.get('keep_missing') -%}
        {%- do backfill_safety._refuse('expect: keep_missing is not available on ' ~ target.type
            ~ '; write max_shrink, or skip_units') -%}
    {%- endif -%}
    {#- joining units saves nothing where a commit cannot hold them together -#}
    {%- do request.update({'units_per_commit': 1}) -%}
{% endmacro %}


{#- {provider, partitions: [{name, type, kind}]} of a table; they stay as long as it does, so it is asked once. -#}
{% macro _spark_table(relation) %}
    {%- set known = context.setdefault('backfill_safety_tables', {}) -%}
    {%- if relation | string not in known -%}
        {%- do known.update({relation | string: backfill_safety._spark_described(relation)}) -%}
    {%- endif -%}
    {%- do return(known[relation | string]) -%}
{% endmacro %}


{% macro _spark_partitions(relation) %}
    {%- do return(backfill_safety._spark_table(relation).partitions) -%}
{% endmacro %}


{#- What Spark says of a table.
    https://spark.apache.org/docs/3.5.1/sql-ref-syntax-aux-describe-table.html -#}
{% macro _spark_described(relation) %}
    {%- set found = {'provider': none, 'partitions': []} -%}
    {%- set at = namespace(part='columns') -%}
    {%- for name, type, _ in backfill_safety._fetch('describe table extended ' ~ relation) -%}
        {%- if name == '# Partition Information' -%} {%- set at.part = 'partitions' -%}
        {%- elif name == '# Detailed Table Information' -%} {%- set at.part = 'details' -%}
        {%- elif at.part == 'partitions' and name and not name.startswith('#') -%}
            {%- do found.partitions.append({'name': name, 'type': type, 'kind': backfill_safety._column_kind(type)}) -%}
        {%- elif at.part == 'details' and name == 'Provider' -%}
            {%- do found.update({'provider': type | lower}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(found) -%}
{% endmacro %}


{#- Which partitions of a table a unit has in each of several, that one among them or not:
    [{spec, predicate, inside: {number of the table: true}}]. -#}
{% macro spark___unit_partitions(relation, tables, predicate, column) %}
    {%- if backfill_safety._is_iceberg(relation) -%}
        {%- do return(backfill_safety.default___unit_partitions(relation, tables, predicate, column)) -%}
    {%- endif -%}
    {%- set columns = backfill_safety._spark_partitions(relation) -%}
    {%- set names = backfill_safety._quoted_names(columns | map(attribute='name')) -%}
    {%- set arms = [] -%}
    {%- for table in tables -%}
        {%- do arms.append('select distinct ' ~ loop.index0 ~ ' as side, ' ~ names | join(', ') ~ ' from ' ~ table ~ ' where '
            ~ predicate) -%}
    {%- endfor -%}
    {%- set texts = [] -%}
    {%- for name in names -%} {%- do texts.append('cast(' ~ name ~ ' as string)') -%} {%- endfor -%}
    {%- set found = {} -%}
    {%- for row in backfill_safety._fetch(
        'select side, ' ~ texts | join(', ') ~ ' from (' ~ arms | join(' union all ') ~ ') as sides order by 2'
    ) -%}
        {%- set values = row[1:] -%}
        {%- if values not in found -%}
            {%- set spec, where = [], [] -%}
            {%- for value in values -%}
                {%- set name, kind = names[loop.index0], columns[loop.index0].kind -%}
                {%- do spec.append(name ~ ' = ' ~ ('null' if value is none else backfill_safety._quoted(value))) -%}
                {%- do where.append(name ~ (' is null' if value is none else ' = ' ~ backfill_safety._literal(value, kind))) -%}
            {%- endfor -%}
            {%- set found_one = {'spec': spec | join(', '), 'predicate': where | join(' and '), 'inside': {}} -%}
            {%- do found.update({values: found_one}) -%}
        {%- endif -%}
        {%- do found[values].inside.update({row[0]: true}) -%}
    {%- endfor -%}
    {%- do return(found.values() | list) -%}
{% endmacro %}


{#- Spark remembers which files a table has, also when another session has written others; so does Iceberg's catalog. Without the
    ledger among them a run would not hear that it is cancelled.
    https://spark.apache.org/docs/3.5.1/sql-ref-syntax-aux-cache-refresh-table.html -#}
{% macro spark___see_others_sql(relation) %}
    {%- set statements = [] -%}
    {%- for table in [relation, backfill_safety._ledger_store(relation, 'runs'), backfill_safety._ledger_store(relation, 'leases')] -%}
        {%- do statements.append('refresh table ' ~ table) -%}
    {%- endfor -%}
    {%- do return(statements) -%}
{% endmacro %}


{#- Statements after which the named partitions of a table hold what the source holds for them, and others are as they were.
    The partition is named in full, so what is replaced hangs neither on spark.sql.sources.partitionOverwriteMode, whose STATIC
    wipes every partition that is not named, nor on the result: a DYNAMIC overwrite by no rows leaves the old ones. The price:
    Spark removes the old files before it copies the new ones, and readers see the partition empty that long.
    https://spark.apache.org/docs/3.5.1/sql-ref-syntax-dml-insert-table.html
    A partition without rows leaves the catalog as well; that alone would leave the files of an external table. -#}
{% macro spark___overwrite_sql(table, source, partitions, side) %}
    {%- if backfill_safety._is_iceberg(table) -%}
        {%- do return(backfill_safety._merge_by_value_sql(table, source, partitions[0])) -%}
    {%- endif -%}
    {%- set parts = backfill_safety._spark_partitions(table) | map(attribute='name') | list -%}
    {%- set names = [] -%}
    {%- for column in adapter.get_columns_in_relation(table) if column.name not in parts -%}
        {%- do names.append(backfill_safety._quote(column.name)) -%}
    {%- endfor -%}
    {%- set statements = [] -%}
    {%- for partition in partitions -%}
        {%- do statements.append('insert overwrite table ' ~ table ~ ' partition (' ~ partition.spec ~ ') select ' ~ names | join(', ')
            ~ ' from ' ~ source ~ ' where ' ~ partition.predicate) -%}
        {%- if side not in partition.inside -%}
            {%- do statements.append('alter table ' ~ table ~ ' drop if exists partition (' ~ partition.spec ~ ')') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(statements) -%}
{% endmacro %}
