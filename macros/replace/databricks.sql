{#- Databricks, tables of Delta: each statement is a transaction of its own, and INSERT … REPLACE WHERE replaces a unit. dbt-databricks
    is built on dbt-spark: what is not said here is taken from spark.sql. https://docs.databricks.com/en/lakehouse/acid.html -#}
{% macro databricks___proof() %}
    {%- do return({'engine': 'databricks', 'is': 'generated'}) -%}
{% endmacro %}


{% macro databricks___overwrites_at_once() %}
    {%- do return(true) -%}
{% endmacro %}


{% macro databricks___fetch(sql) %}
    {%- do return(backfill_safety.default___fetch(sql)) -%}
{% endmacro %}


{% macro databricks___replace_methods() %}
    {%- do return(['replace_where']) -%}
{% endmacro %}


{#- https://docs.databricks.com/en/delta/selective-overwrite.html: Delta alone has REPLACE WHERE. -#}
{% macro databricks___check_target(request) %}
    {%- set format = request.node.config.get('file_format') or 'delta' -%}
    {%- if format != 'delta' -%}
        {%- do backfill_safety._refuse(request.relation ~ ' is stored as ' ~ format ~ '; only tables of Delta are replaced here: set '
            ~ 'file_format: delta and rebuild it once') -%}
    {%- endif -%}
    {%- do backfill_safety._refuse_without_backup(request) -%}
{% endmacro %}


{#- No partitions: rows of a unit come as files of their own, which their least and greatest values tell apart.
    https://docs.databricks.com/en/delta/data-skipping.html -#}
{% macro databricks___create_like_sql(table, columns, relation) %}
    {%- do return(['create or replace table ' ~ table ~ ' using delta as select ' ~ columns ~ ' from ' ~ relation ~ ' where 1 = 0']) -%}
{% endmacro %}


{% macro databricks___create_stage_sql(stage, relation) %}
    {%- do return(backfill_safety.databricks___create_like_sql(stage, '*', relation)) -%}
{% endmacro %}


{% macro databricks___log_clause() %}
    {%- do return(' using delta') -%}
{% endmacro %}


{% macro databricks___fill_stage_sql(stage, names, query) %}
    {%- do return(backfill_safety.default___fill_stage_sql(stage, names, query)) -%}
{% endmacro %}


{% macro databricks___has_views() %}
    {%- do return(true) -%}
{% endmacro %}


{#- Every query reads the newest version of a table. https://docs.databricks.com/en/lakehouse/acid.html -#}
{% macro databricks___see_others_sql(relation) %}
    {%- do return([]) -%}
{% endmacro %}


{#- Pieces are predicates, and not the partitions of a table of files. -#}
{% macro databricks___unit_partitions(relation, tables, predicate, column) %}
    {%- do return(backfill_safety.default___unit_partitions(relation, tables, predicate, column)) -%}
{% endmacro %}


{#- By position, so every column is named, in the table's own order. An empty query empties the unit; a row outside of it is an error.
    https://docs.databricks.com/en/sql/language-manual/sql-ref-syntax-dml-insert-into.html -#}
{% macro databricks___overwrite_sql(table, source, partitions, side) %}
    {%- do return(['insert into ' ~ table ~ ' replace where ' ~ partitions[0].predicate ~ ' select '
        ~ backfill_safety._names_of(table) | join(', ') ~ ' from ' ~ source ~ ' where ' ~ partitions[0].predicate]) -%}
{% endmacro %}


{#- Of each place where the plan begins to read: the lines below which none is indented further. Of what has no statistics it says
    8.0 EiB. https://docs.databricks.com/en/sql/language-manual/sql-ref-syntax-qry-explain.html -#}
{% macro databricks___reads(sql) %}
    {%- set rows = backfill_safety._fetch('explain cost ' ~ sql) -%}
    {%- set text = rows[0][0] | string if rows and rows[0] else '' -%}
    {%- set lines = text.split('== Optimized Logical Plan ==')[-1].split('\n\n')[0].strip().split('\n') -%}
    {%- set parts = [] -%}
    {%- for line in lines -%}
        {%- if loop.last or backfill_safety._plan_depth(loop.nextitem) <= backfill_safety._plan_depth(line) -%}
            {%- set told = modules.re.search('Statistics\\(sizeInBytes=([0-9.E+]+) ([KMGTPE]i)?B[,)]', line) -%}
            {%- do parts.append({'bytes': (told.group(1) | float) * 1024 ** ' KMGTPE'.index((told.group(2) or ' ')[0])} if told
                else none) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(backfill_safety._told({'bytes': 'bytes'}, parts)) -%}
{% endmacro %}


{% macro _plan_depth(line) %}
    {%- do return(modules.re.match('[ :+-]*', line).end()) -%}
{% endmacro %}


{% macro databricks___estimate(plan) %}
    {%- do return(backfill_safety._explained_estimate(plan)) -%}
{% endmacro %}


{#- java_method is not allowed in shared compute and SQL warehouses.
    https://docs.databricks.com/en/sql/language-manual/functions/java_method.html -#}
{% macro databricks___rest(seconds) %}
    {%- do return(backfill_safety.default___rest(seconds)) -%}
{% endmacro %}
