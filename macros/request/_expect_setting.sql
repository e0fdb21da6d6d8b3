{#- expect: {unique: …, not_null: …, sql: …} → columns that exist and a query that stays in its place. -#}
{% macro _expect_setting(expect, node, columns, keys) %}
    {%- set read = dict(expect) -%}
    {%- if expect.get('keep_missing') and not keys -%}
        {%- do backfill_safety._refuse('expect: keep_missing needs a unique_key of columns to tell rows apart; ' ~ node.name
            ~ ' has none') -%}
    {%- endif -%}
    {%- if expect.get('unique') -%}
        {%- set names = keys if expect.unique is sameas true else ([expect.unique] if expect.unique is string else expect.unique) -%}
        {%- if not names -%}
            {%- do backfill_safety._refuse('expect: unique: true needs a unique_key; write unique: [column, …]') -%}
        {%- endif -%}
        {%- do read.update({'unique_sets': [backfill_safety._expected_columns('unique', names, columns)]}) -%}
    {%- endif -%}
    {%- if expect.get('not_null') -%}
        {%- set names = [expect.not_null] if expect.not_null is string else expect.not_null -%}
        {%- do read.update({'not_null_columns': backfill_safety._expected_columns('not_null', names, columns)}) -%}
    {%- endif -%}
    {%- if expect.get('sql') is not none and expect.get('sql') is defined -%}
        {%- do backfill_safety._refuse_unless_one_query(expect.sql) -%}
    {%- endif -%}
    {%- do return(read) -%}
{% endmacro %}


{% macro _expected_columns(label, names, columns) %}
    {%- if backfill_safety._shape_of(names) != 'list' -%}
        {%- do backfill_safety._refuse('expect: ' ~ label ~ ' takes a column or a list of columns, not ' ~ names) -%}
    {%- endif -%}
    {%- set found = [] -%}
    {%- for name in names -%}
        {%- set column = backfill_safety._find_column(columns, name | string) -%}
        {%- if column is none -%}
            {%- do backfill_safety._refuse("expect: " ~ label ~ " names '" ~ name ~ "', which is no column of the target; write one of "
                ~ backfill_safety._name_list(columns | map(attribute='name'))) -%}
        {%- endif -%}
        {%- do found.append(column.name) -%}
    {%- endfor -%}
    {%- do return(found) -%}
{% endmacro %}


{#- The user's query is put into brackets: it must be one select, closed in itself, that writes nothing. -#}
{% macro _refuse_unless_one_query(sql) %}
    {%- set way_out = '; write one select that gives the rows that must not be there, such as '
        ~ 'select * from {target} where {unit} and amount < 0' -%}
    {%- if sql is not string or not modules.re.match('(?is)^\\s*(select|with)\\b', sql) -%}
        {%- do backfill_safety._refuse("expect: sql '" ~ sql ~ "' is no select" ~ way_out) -%}
    {%- endif -%}
    {%- set bare = modules.re.sub("(?s)'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"", '_', sql) -%}
    {%- set depth = namespace(now=0, broken=false) -%}
    {%- for sign in modules.re.findall('[()]', bare) -%}
        {%- set depth.now = depth.now + (1 if sign == '(' else -1) -%}
        {%- if depth.now < 0 -%} {%- set depth.broken = true -%} {%- endif -%}
    {%- endfor -%}
    {%- if depth.broken or depth.now != 0 or modules.re.search('[;\'"$\\\\]|--|/\\*', bare) -%}
        {%- do backfill_safety._refuse('expect: sql is not closed in itself (a bracket, a quote, a semicolon or a comment)' ~ way_out) -%}
    {%- endif -%}
    {%- set verbs = 'insert|update|delete|merge|drop|create|alter|truncate|copy|attach|detach|install|load|call|execute|grant|set'
        ~ '|pragma|export|import' -%}
    {%- set writes = modules.re.search('(?i)\\b(' ~ verbs ~ ')\\b', bare) -%}
    {%- if writes -%}
        {%- do backfill_safety._refuse("expect: sql contains '" ~ writes.group(0) ~ "'; it must only read" ~ way_out) -%}
    {%- endif -%}
{% endmacro %}
