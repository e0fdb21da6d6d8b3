{#- The same structure, partitions, order and indices, which a partition needs to go from one into the other. What a killed run of
    the same id left is made anew. https://clickhouse.com/docs/sql-reference/statements/alter/partition#replace-partition -#}
{% macro clickhouse___create_like_sql(table, columns, relation) %}
    {%- do return(['drop table if exists ' ~ table, 'create table ' ~ table ~ ' as ' ~ relation]) -%}
{% endmacro %}


{% macro clickhouse___create_stage_sql(stage, relation) %}
    {%- do return(backfill_safety.clickhouse___create_like_sql(stage, '*', relation)) -%}
{% endmacro %}


{% macro clickhouse___fill_stage_sql(stage, names, query) %}
    {%- do return(['truncate table ' ~ stage, 'insert into ' ~ stage ~ ' (' ~ names ~ ') ' ~ query]) -%}
{% endmacro %}


{#- Which partitions a unit has in each of several tables: [{id, inside: {number of the table: true}}]. Refuses where one of them holds
    rows of another unit as well: whatever the partition key was taken to mean, nothing outside of the unit is replaced.
    https://clickhouse.com/docs/engines/table-engines/mergetree-family/mergetree#virtual-columns -#}
{% macro clickhouse___unit_partitions(relation, tables, predicate, column) %}
    {%- set arms = [] -%}
    {%- for table in tables -%}
        {%- do arms.append('select ' ~ loop.index0 ~ ' as side, _partition_id as id, countIf(ifNull((' ~ predicate
            ~ '), 0) = 0) as outside from ' ~ table ~ ' where _partition_id in (select distinct _partition_id from ' ~ table ~ ' where '
            ~ predicate ~ ') group by _partition_id') -%}
    {%- endfor -%}
    {%- set found = {} -%}
    {%- for side, id, outside in backfill_safety._fetch('select side, id, outside from (' ~ arms | join(' union all ')
        ~ ') as sides order by id, side') -%}
        {%- if outside -%}
            {%- do backfill_safety._refuse('partition ' ~ id ~ ' of ' ~ tables[side] ~ ' holds ' ~ backfill_safety._rows_word(outside)
                ~ ' of other units and is replaced whole; nothing more was written: widen the window, or write a coarser grain') -%}
        {%- endif -%}
        {%- do found.setdefault(id, {'id': id, 'inside': {}}).inside.update({side: true}) -%}
    {%- endfor -%}
    {%- do return(found.values() | list) -%}
{% endmacro %}


{#- Statements after which the named partitions of a table hold what the source holds for them, and others are as they were. Each is
    atomic, and copies no rows: parts are linked. From an empty source nothing is replaced, so what the source lacks is dropped.
    https://clickhouse.com/docs/sql-reference/statements/alter/partition#replace-partition
    https://clickhouse.com/docs/operations/settings/settings#allow_replace_partition_from_empty_source -#}
{% macro clickhouse___overwrite_sql(table, source, partitions, side) %}
    {%- set statements = [] -%}
    {%- for partition in partitions -%}
        {%- set id = 'partition id ' ~ backfill_safety._quoted(partition.id) -%}
        {%- do statements.append('alter table ' ~ table ~ (' replace ' ~ id ~ ' from ' ~ source if side in partition.inside
            else ' drop ' ~ id)) -%}
    {%- endfor -%}
    {%- do return(statements) -%}
{% endmacro %}
