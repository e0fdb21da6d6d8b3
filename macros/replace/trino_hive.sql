{#- Trino on tables of Hive: no transactions and no MERGE. A unit's partitions are deleted and inserted anew, in two statements that mean
    the same whatever `insert_existing_partitions_behavior` says: when the insert comes, none of them is there. OVERWRITE is not used: it
    leaves a partition that gets no rows as it is, and may lose it when the metastore does not answer in time.
    https://trino.io/docs/current/connector/hive.html#sql-support, https://github.com/trinodb/trino/issues/29428 -#}

{#- Only what a DELETE of whole partitions can reach: of external tables it is refused, and transactional ones are deleted by rows. -#}
{% macro _check_hive_target(request) %}
    {%- set table = backfill_safety._hive_table(request.relation) -%}
    {%- if table.kind -%}
        {%- do backfill_safety._refuse(request.relation ~ ' is ' ~ table.kind ~ ' table of Hive, whose partitions Trino does not drop '
            ~ 'whole; only managed ones without transactions are replaced here: rebuild it as one, or in an Iceberg catalog') -%}
    {%- endif -%}
    {%- if request.column not in table.partitions -%}
        {%- do backfill_safety._refuse(request.relation ~ ' is a table of Hive, and '
            ~ ('its partitions (' ~ table.partitions | join(', ') ~ ') are replaced whole; write column: ' ~ table.partitions[0]
                if table.partitions else 'has no partitions; set partitioned_by: ARRAY[' ~ backfill_safety._quoted(request.column)
                    ~ '] in its properties and rebuild it once')) -%}
    {%- endif -%}
    {%- for name in request.where or {} if name not in table.partitions -%}
        {%- do backfill_safety._refuse('where: ' ~ name ~ ' cuts the partitions of ' ~ request.relation ~ ' ('
            ~ table.partitions | join(', ') ~ '), which are replaced whole; leave it out') -%}
    {%- endfor -%}
{% endmacro %}


{#- {kind, partitions}: what stands in the way, and the columns of its partitions; they stay as long as the table does.
    https://trino.io/docs/current/sql/show-create-table.html,
    https://trino.io/docs/current/connector/hive.html#table-properties -#}
{% macro _hive_table(relation) %}
    {%- set known = context.setdefault('backfill_safety_hive_tables', {}) -%}
    {%- if relation | string not in known -%}
        {%- set properties = (backfill_safety._fetch('show create table ' ~ relation)[0][0] | string).split('WITH (')[-1] -%}
        {%- set listed = modules.re.search('partitioned_by = ARRAY\\[([^]]*)\\]', properties) -%}
        {%- do known.update({relation | string: {
            'kind': 'an external' if 'external_location = ' in properties else (
                'a transactional' if 'transactional = true' in properties else none),
            'partitions': modules.re.findall("'([^']*)'", listed.group(1)) if listed else [],
        }}) -%}
    {%- endif -%}
    {%- do return(known[relation | string]) -%}
{% endmacro %}


{#- Cut into the same partitions, so that one of them can be deleted. -#}
{% macro _hive_partitions_clause(relation) %}
    {%- set names = [] -%}
    {%- for name in backfill_safety._hive_table(relation).partitions -%}
        {%- do names.append(backfill_safety._quoted(name)) -%}
    {%- endfor -%}
    {%- do return(' with (partitioned_by = array[' ~ names | join(', ') ~ '])') -%}
{% endmacro %}


{#- The predicate names whole partitions, which a DELETE drops. -#}
{% macro _hive_overwrite_sql(table, source, predicate) %}
    {%- set names = backfill_safety._names_of(table) | join(', ') -%}
    {%- do return([
        'delete from ' ~ table ~ ' where ' ~ predicate,
        'insert into ' ~ table ~ ' (' ~ names ~ ') select ' ~ names ~ ' from ' ~ source ~ ' where ' ~ predicate,
    ]) -%}
{% endmacro %}
