{#- The live cursor: the columns of the target whose maximum the live run reads, with their values now. -#}
{% macro _cursor(request, live) %}
    {%- set declared = backfill_safety._meta_setting(request.node, 'watermark') -%}
    {%- set names = backfill_safety._declared_watermark(declared, request) if declared else [] -%}
    {%- do names.extend(backfill_safety._watermark_columns(live, request)) -%}
    {%- set cursor = [] -%}
    {%- set seen = [] -%}
    {%- for name in names -%}
        {%- set column = backfill_safety._find_column(request.columns, name) -%}
        {%- if column is not none and column.name not in seen -%}
            {%- do seen.append(column.name) -%}
            {%- do cursor.append({'column': column.name, 'kind': backfill_safety._column_kind(column.data_type),
                'type': column.data_type}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if cursor -%}
        {%- for mark, value in zip(cursor, backfill_safety._fetch(backfill_safety._cursor_sql(request.relation, cursor))[0]) -%}
            {%- do mark.update({'value': value}) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- do return(cursor) -%}
{% endmacro %}


{% macro _declared_watermark(declared, request) %}
    {%- set names = [declared] if declared is string else declared | list -%}
    {%- for name in names if backfill_safety._find_column(request.columns, name) is none -%}
        {%- do backfill_safety._refuse(
            'meta.backfill_safety.watermark of ' ~ request.node.name ~ " names '" ~ name ~ "', which is no column of "
                ~ request.relation ~ '; write one of ' ~ backfill_safety._name_list(request.columns | map(attribute='name'))
        ) -%}
    {%- endfor -%}
    {%- do return(names) -%}
{% endmacro %}


{#- How many rows the model gives for the time before the window, where a column of the cursor is empty: what is written first becomes the
    cursor, and the live run would never read them. 0 where it is not. -#}
{% macro _rows_before_window(plan, cursor) %}
    {%- set request = plan.request -%}
    {%- if request.grain == 'value' or not cursor | selectattr('value', 'none') | list -%} {%- do return(0) -%} {%- endif -%}
    {%- do return(backfill_safety._fetch('select count(*) as backfill_count from (\n' ~ plan.first.sql ~ '\n) as backfill_rows where '
        ~ request.column_sql ~ ' < ' ~ request.frame[0] ~ plan.bounds[0] ~ request.frame[1])[0][0]) -%}
{% endmacro %}


{#- The newest value of each of the cursor's columns, as a query of one row. -#}
{% macro _cursor_sql(relation, cursor) %}
    {%- set parts = [] -%}
    {%- for mark in cursor -%}
        {%- do parts.append(backfill_safety._engine('_newest_sql')(backfill_safety._quote(mark.column)) ~ ' as backfill_newest_'
            ~ loop.index) -%}
    {%- endfor -%}
    {%- do return('select ' ~ parts | join(', ') ~ ' from ' ~ relation) -%}
{% endmacro %}


{#- The cursor beside what it was when the run was planned: {changed, words}. It falls where its newest row is gone from the source;
    where a live run writes meanwhile it rises. -#}
{% macro _cursor_now(plan, values) %}
    {%- set words = [] -%}
    {%- for mark, value in zip(plan.cursor, values) -%}
        {%- if value != mark.value -%}
            {%- do words.append('max(' ~ mark.column ~ ') was ' ~ (mark.value or 'empty') ~ ' and is ' ~ (value or 'empty')) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return({'changed': words | length > 0, 'words': words | join(', ')}) -%}
{% endmacro %}


{#- The newest value of a column as text; NULL where there is none. -#}
{% macro default___newest_sql(column) %}
    {%- do return('cast(max(' ~ column ~ ') as ' ~ dbt.type_string() ~ ')') -%}
{% endmacro %}


{#- Columns of the target by which the live rendering and its run-time queries find how far it has come, in four forms: `max(x) … from
    this`; `from this select max(x)`; what a comparison takes from it, `> (select x from this …)`; and `x from this … order by x desc`. -#}
{% macro _watermark_columns(live, request) %}
    {%- set of_all = '(?i)\\b(avg|sum|count|min|median)\\s*\\(' -%}
    {%- set names = [] -%}
    {%- for quoted in [live.bare] + live.queries -%}
        {%- set text = quoted | replace('"', '') | replace('`', '') -%}
        {%- set table = backfill_safety._pattern_of_own_rows(text, request.relation) -%}
        {%- set largest = '(?is)\\bmax\\s*\\(((?:[^()]|\\([^()]*\\))*)\\)' -%}
        {%- set newest = largest ~ '(?:(?!\\bfrom\\b).)*?\\bfrom\\s+' ~ table -%}
        {%- set from_first = '(?is)\\bfrom\\s+' ~ table ~ '(?:(?!\\b(?:from|union|join)\\b)[^()])*?\\bselect\\s'
            ~ '(?:(?!\\b(?:from|union)\\b).)*?' ~ largest[5:] -%}
        {%- set compared = '(?is)[<>]=?\\s*(?:(?:all|any|some)\\s*)?\\(\\s*select\\s+((?:(?!\\bfrom\\b).)*?)\\s+from\\s+'
            ~ '(?:[^()]*?(?:\\bjoin\\s+|,\\s*))?' ~ table -%}
        {%- set ordered = '(?is)\\bselect\\s+(?:\\w+\\.)?(\\w+)[^()]*?\\bfrom\\s+' ~ table
            ~ '[^()]*?\\border\\s+by\\s+(?:\\w+\\.)?(\\w+)\\s+desc' -%}
        {%- set taken = modules.re.findall(newest, text) + modules.re.findall(from_first, text) -%}
        {%- for inside in modules.re.findall(compared, text) if not modules.re.search(of_all, inside) -%}
            {%- do taken.append(inside) -%}
        {%- endfor -%}
        {%- for inside in taken -%} {%- do names.extend(modules.re.findall('[\\w$]+', inside) | reverse) -%} {%- endfor -%}
        {%- for column, by in modules.re.findall(ordered, text) -%} {%- do names.append(column if by == '1' else by) -%} {%- endfor -%}
    {%- endfor -%}
    {%- do names.extend(live.watermarks) -%}
    {%- do return(names) -%}
{% endmacro %}


{#- Where the newest value is asked for among some rows alone, by another column than the cursor's own and the partition's, what says which:
    `where source = 'a'`, `group by tenant`; none where it is asked of the whole table. -#}
{% macro _cursor_condition(request, live, cursor) %}
    {%- set own = cursor | map(attribute='column') | list + [request.column] -%}
    {%- for quoted in ([live.bare] + live.queries if cursor else []) -%}
        {%- set text = quoted | replace('"', '') | replace('`', '') -%}
        {%- set asked = '(?is)\\bmax\\s*\\((?:[^()]|\\([^()]*\\))*\\)(?:(?!\\bfrom\\b).)*?\\bfrom\\s+'
            ~ backfill_safety._pattern_of_own_rows(text, request.relation)
            ~ '[^()]*?\\b((?:where|group\\s+by)\\b(?:[^()]|\\([^()]*\\))*)' -%}
        {%- for condition in modules.re.findall(asked, text) -%}
            {%- for name in modules.re.findall('[\\w$]+', backfill_safety._without_comments(condition, false)) -%}
                {%- set column = backfill_safety._find_column(request.columns, name) -%}
                {%- if column is not none and column.name not in own -%} {%- do return(condition | trim) -%} {%- endif -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(none) -%}
{% endmacro %}


{#- The target's name in a text, or that of a CTE which gives nothing but rows of the target: `existing as (select * from this)`. -#}
{% macro _pattern_of_own_rows(text, relation) %}
    {%- set table = backfill_safety._relation_pattern(relation) -%}
    {%- set rest = '(?:(?!\\b(?:union|join|group)\\b)(?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\)))*?\\)' -%}
    {%- set cte = '(?is)(\\w+)\\s+as\\s+(?:(?:not\\s+)?materialized\\s+)?\\(\\s*(?:select\\s(?:(?!\\bfrom\\b)[^()])*?)?\\bfrom\\s+'
        ~ table ~ rest -%}
    {%- set names = modules.re.findall(cte, text) | unique | list -%}
    {%- do return('(?:' ~ table ~ '|(?<![\\w$.])(?:' ~ names | join('|') ~ ')(?![\\w$.]))' if names else table) -%}
{% endmacro %}


{#- A relation's name in SQL without its quotes, however much of it is written, but for its bare identifier, which may be a CTE. -#}
{% macro _relation_pattern(relation) %}
    {%- set whole = relation | string | replace('"', '') | replace('`', '') -%}
    {%- set near = relation.schema ~ '.' ~ relation.identifier -%}
    {%- set before = whole[:whole | length - near | length] if whole.endswith(near) else '' -%}
    {%- set name = '(?:' ~ modules.re.escape(before) ~ ')?' ~ modules.re.escape(near) if before else modules.re.escape(whole) -%}
    {%- do return('(?<![\\w$.])' ~ name ~ '(?![\\w$])') -%}
{% endmacro %}


{#- Whether a row lies past the cursor, as SQL on the target's columns; none where there is no cursor. -#}
{% macro _past_cursor_sql(cursor, columns=none) %}
    {%- set parts = [] -%}
    {%- for mark in cursor if mark.value is not none and (columns is none or mark.column in columns) -%}
        {%- do parts.append(backfill_safety._quote(mark.column) ~ ' > cast(' ~ backfill_safety._quoted(mark.value) ~ ' as '
            ~ mark.type ~ ')') -%}
    {%- endfor -%}
    {%- do return('(' ~ parts | join(' or ') ~ ')' if parts else none) -%}
{% endmacro %}
