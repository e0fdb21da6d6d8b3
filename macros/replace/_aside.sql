{#- What engines share that judge a unit's rows aside and then replace the unit by one statement. -#}

{#- One statement a call, without what begins and ends a transaction elsewhere; the rows of the last one. -#}
{% macro _run_each(statements) %}
    {%- set last = namespace(rows=[]) -%}
    {%- for statement in statements if statement not in ['begin', 'commit', 'rollback'] -%}
        {%- set last.rows = backfill_safety._fetch(statement) -%}
    {%- endfor -%}
    {%- do return(last.rows) -%}
{% endmacro %}


{#- Units are judged and recorded one by one there, and their old rows lie in the backup. -#}
{% macro _refuse_without_backup(request) %}
    {%- if not request.backup -%}
        {%- do backfill_safety._refuse('backup: false is not available on ' ~ target.type ~ ': the old rows of a unit that was under way '
            ~ 'lie in the backup alone; leave backup out, and drop it afterwards with cleanup_backfills') -%}
    {%- endif -%}
    {%- if request.expect.get('keep_missing') -%}
        {%- do backfill_safety._refuse('expect: keep_missing is not available on ' ~ target.type
            ~ '; write max_shrink, or skip_units') -%}
    {%- endif -%}
    {%- do request.update({'units_per_commit': 1}) -%}
{% endmacro %}


{#- The columns of a table, quoted, in its own order. -#}
{% macro _names_of(table) %}
    {%- do return(backfill_safety._quoted_names(adapter.get_columns_in_relation(table) | map(attribute='name'))) -%}
{% endmacro %}


{#- A unit replaced by one MERGE where MERGE knows no rows that only the target has: each partition value that the unit holds now
    comes as one row that matches all of its rows, which are deleted; new rows match nothing, and are inserted. -#}
{% macro _merge_by_value_sql(table, source, partition) %}
    {%- set columns = backfill_safety._names_of(table) -%}
    {%- set news, olds, values = [], [], [] -%}
    {%- for column in columns -%}
        {%- do news.append(column ~ ' as new_' ~ loop.index) -%}
        {%- do olds.append(column if column == partition.column else 'null') -%}
        {%- do values.append('s.new_' ~ loop.index) -%}
    {%- endfor -%}
    {%- set value = 's.new_' ~ (columns.index(partition.column) + 1) -%}
    {%- do return([
        'merge into ' ~ table ~ ' as t using (select 0 as is_old, ' ~ news | join(', ') ~ ' from ' ~ source ~ ' where '
        ~ partition.predicate ~ ' union all select distinct 1, ' ~ olds | join(', ') ~ ' from ' ~ table ~ ' where ' ~ partition.predicate
        ~ ') as s on t.' ~ partition.column ~ ' = ' ~ value ~ ' and s.is_old = 1 and ' ~ partition.predicate
        ~ ' when matched then delete when not matched and s.is_old = 0 then insert (' ~ columns | join(', ') ~ ') values ('
        ~ values | join(', ') ~ ')'
    ]) -%}
{% endmacro %}
