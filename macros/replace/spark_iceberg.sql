{#- Tables of Iceberg on Spark: each statement is a snapshot, there or not there, and MERGE replaces any rows, whole partitions or parts
    of them. An overwrite is not used: in DYNAMIC mode no rows empty nothing, and in STATIC mode partitions that hide a transform, such
    as days(ts), cannot be named. https://iceberg.apache.org/docs/1.10.0/spark-writes/#overwrite-behavior -#}
{% macro _is_iceberg(table) %}
    {%- do return(backfill_safety._spark_table(table).provider == 'iceberg') -%}
{% endmacro %}


{#- A unit may be any part of the table: MERGE leaves every other row as it is. -#}
{% macro _check_iceberg_target(request) %}
    {%- do context.update({'backfill_safety_target_is_iceberg': true}) -%}
    {%- do backfill_safety._refuse_without_backup(request) -%}
{% endmacro %}


{#- Without partitions: rows of a unit come as files of their own, which their least and greatest values tell apart.
    https://iceberg.apache.org/docs/1.10.0/performance/#metadata-filtering -#}
{% macro _iceberg_like_sql(table, relation) %}
    {%- do return([
        'drop table if exists ' ~ table,
        'create table ' ~ table ~ ' using iceberg as select * from ' ~ relation ~ ' where 1 = 0',
    ]) -%}
{% endmacro %}


{#- Whatever spark.sql.sources.partitionOverwriteMode is: in DYNAMIC mode an overwrite by no rows would leave the rows of an attempt
    before. https://iceberg.apache.org/docs/1.10.0/spark-writes/#delete-from -#}
{% macro _iceberg_fill_sql(stage, names, query) %}
    {%- do return(['delete from ' ~ stage, 'insert into ' ~ stage ~ ' (' ~ names ~ ') ' ~ query]) -%}
{% endmacro %}


{#- Iceberg's catalogs make no views, or only some of them do, and its extensions take them from spark_catalog as well.
    https://iceberg.apache.org/docs/1.10.0/spark-configuration/#replacing-the-session-catalog -#}
{% macro spark___has_views() %}
    {%- set known = context.setdefault('backfill_safety_views', {}) -%}
    {%- if not known -%}
        {%- set catalog = backfill_safety._fetch('select current_catalog()')[0][0] -%}
        {%- set class = backfill_safety._fetch('set `spark.sql.catalog.' ~ catalog ~ '`')[0][1] -%}
        {%- do known.update({'here': not class.startswith('org.apache.iceberg.')}) -%}
    {%- endif -%}
    {%- do return(known.here) -%}
{% endmacro %}


{#- Tables of Iceberg take no insert that leaves a column out (CANNOT_FIND_DATA, seen on 1.10). -#}
{% macro spark___left_out(name, given) %}
    {%- set columns = [] -%}
    {%- for column in (backfill_safety._ledger_columns(name).keys() | list) + ['seq'] if column not in given -%}
        {%- do columns.append(column) -%}
    {%- endfor -%}
    {%- do return(columns) -%}
{% endmacro %}


{#- {column, grain} of a partition as a model's config writes it: days(ts), bucket(16, id), a plain column.
    https://iceberg.apache.org/docs/1.10.0/spark-ddl/#partitioned-by -#}
{% macro _iceberg_transform(text) %}
    {%- set written = '(?i)(year|month|day|hour|bucket|truncate)s?\\((?:\\d+, *)?`?(\\w+)`?(?:, *\\d+)?\\)$' -%}
    {%- set found = modules.re.match(written, text | trim) -%}
    {%- if not found -%} {%- do return({'column': text, 'grain': none}) -%} {%- endif -%}
    {%- set grain = found.group(1) | lower -%}
    {%- do return({'column': found.group(2), 'grain': grain if grain in ['year', 'month', 'day', 'hour'] else none}) -%}
{% endmacro %}


{% macro spark___partitioned_columns(text) %}
    {%- do return([backfill_safety._iceberg_transform(text).column]) -%}
{% endmacro %}


{#- A finer unit would be written by a rewrite of the whole partition, time and again. -#}
{% macro spark___partition_grain(node, column) %}
    {%- set texts = node.config.partition_by -%}
    {%- for text in ([texts] if texts is string else texts) -%}
        {%- set part = backfill_safety._iceberg_transform(text) -%}
        {%- if part.column == column -%} {%- do return(part.grain) -%} {%- endif -%}
    {%- endfor -%}
    {%- do return(none) -%}
{% endmacro %}
