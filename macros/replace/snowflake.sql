{#- Snowflake: an explicit transaction holds a unit and its row of the ledger together; DDL, temporary tables among it, commits what is
    open, so none stands inside. https://docs.snowflake.com/en/sql-reference/transactions -#}
{% macro snowflake___proof() %}
    {%- do return({'engine': 'snowflake', 'is': 'emulated'}) -%}
{% endmacro %}


{#- The cursor's own rows: agate guesses types. One statement a call, as the driver takes them by default.
    https://docs.snowflake.com/en/developer-guide/python-connector/python-connector-api#label-python-connector-api-cursor-execute -#}
{% macro snowflake___fetch(sql) %}
    {%- do return(adapter.add_query(sql, auto_begin=false)[1].fetchall() or []) -%}
{% endmacro %}


{#- A statement of DDL commits what is open. That is said here and not left to happen, so that what is done so far is seen to be. -#}
{% macro snowflake___run(statements) %}
    {%- set at = namespace(open=false, rows=[]) -%}
    {%- for statement in statements -%}
        {%- set splits = at.open and statement.split(' ')[0] in ['create', 'alter', 'drop', 'truncate'] -%}
        {%- if splits -%} {%- do backfill_safety._fetch('commit') -%} {%- endif -%}
        {%- set at.rows = backfill_safety._fetch(statement) -%}
        {%- if splits -%} {%- do backfill_safety._fetch('begin') -%} {%- endif -%}
        {%- set at.open = statement == 'begin' or (at.open and statement not in ['commit', 'rollback']) -%}
    {%- endfor -%}
    {%- do return(at.rows) -%}
{% endmacro %}


{#- What a unit held before lies in the backup while it is judged: a temporary table made inside would commit the work. -#}
{% macro snowflake___check_target(request) %}
    {%- if not request.backup -%}
        {%- do backfill_safety._refuse('backup: false is not available on snowflake: the old rows lie in the backup while a commit is '
            ~ 'judged; leave backup out, and drop it afterwards with cleanup_backfills') -%}
    {%- endif -%}
{% endmacro %}


{#- Tables first, each committed by itself; then the rows, all at once. A run that is killed in between has no row in the ledger. -#}
{% macro snowflake___make_and_insert_sql(made, rows) %}
    {%- do return(['commit'] + made + ['begin'] + rows) -%}
{% endmacro %}


{#- What a killed attempt of the same id left is made anew. -#}
{% macro snowflake___create_like_sql(table, columns, relation) %}
    {%- do return(['create or replace table ' ~ table ~ ' as select ' ~ columns ~ ' from ' ~ relation ~ ' where 1 = 0']) -%}
{% endmacro %}


{#- Two inserts do not wait for each other; an update waits for the table until the other transaction has ended. So the ledger keeps one
    row that whoever takes a lease updates first, and what it reads next is what the earlier one has committed.
    https://docs.snowflake.com/en/sql-reference/transactions#resource-locking -#}
{% macro snowflake___create_missing_sql(table, columns) %}
    {%- set statements = backfill_safety.default___create_missing_sql(table, columns) -%}
    {%- if table.identifier == 'backfill_safety_leases' -%}
        {%- do statements.append('insert into ' ~ table ~ " (relation, holder) select '', 'nobody' where not exists (select 1 from "
            ~ table ~ " where relation = '')") -%}
    {%- endif -%}
    {%- do return(statements) -%}
{% endmacro %}


{% macro snowflake___lease_alone_sql(relation) %}
    {%- do return(['update ' ~ backfill_safety._ledger(relation, 'leases') ~ " set holder = 'nobody' where relation = ''"]) -%}
{% endmacro %}


{#- Micro-partitions that are left after pruning, and their bytes; no warehouse is woken for it. Of what has none (an external table, a
    stage) it tells nothing. https://docs.snowflake.com/en/sql-reference/sql/explain
    https://docs.snowflake.com/en/sql-reference/functions/system_explain_plan_json has the shape of the answer -#}
{% macro snowflake___reads(sql) %}
    {%- set stats = backfill_safety._answered_object(backfill_safety._fetch('explain using json ' ~ sql)).get('GlobalStats') -%}
    {%- if stats is not mapping or not stats.get('partitionsTotal') -%} {%- do return(none) -%} {%- endif -%}
    {%- do return(backfill_safety._told({'bytesAssigned': 'bytes', 'partitionsAssigned': 'partitions'}, [stats])) -%}
{% endmacro %}


{% macro snowflake___estimate(plan) %}
    {%- do return(backfill_safety._explained_estimate(plan)) -%}
{% endmacro %}


{#- Never NULL, and the same for the same values in every session. Its sum needs more than the 19 digits of one; the emulator keeps
    a number as an exact one only where it has a decimal. https://docs.snowflake.com/en/sql-reference/functions/hash -#}
{% macro snowflake___checksum_of(expressions) %}
    {%- do return('cast(sum(cast(hash(' ~ expressions | join(', ') ~ ') as number(38, 1))) as varchar)') -%}
{% endmacro %}


{% macro snowflake___distinct_rows(expressions) %}
    {%- do return('count(distinct hash(' ~ expressions | join(', ') ~ '))') -%}
{% endmacro %}


{#- TIMESTAMP alone means what TIMESTAMP_TYPE_MAPPING says, so each kind is named; an offset makes an instant of it whatever the
    session's TIMEZONE. https://docs.snowflake.com/en/sql-reference/data-types-datetime -#}
{% macro snowflake___literal(text, kind) %}
    {%- if kind == 'timestamp' -%} {%- do return('cast(' ~ backfill_safety._quoted(text) ~ ' as timestamp_ntz)') -%} {%- endif -%}
    {%- if kind == 'timestamptz' -%}
        {%- do return('cast(' ~ backfill_safety._quoted(text ~ ' +00:00') ~ ' as timestamp_tz)') -%}
    {%- endif -%}
    {%- do return(backfill_safety.default___literal(text, kind)) -%}
{% endmacro %}


{#- A backslash escapes. https://docs.snowflake.com/en/sql-reference/data-types-text#single-quoted-string-constants -#}
{% macro snowflake___quoted(text) %}
    {%- do return("'" ~ text | replace('\\', '\\\\') | replace("'", "''") ~ "'") -%}
{% endmacro %}


{#- https://docs.snowflake.com/en/sql-reference/functions/sysdate: UTC, without a zone, whatever the session's TIMEZONE -#}
{% macro snowflake___now_sql() %}
    {%- do return('cast(sysdate() as timestamp_ntz)') -%}
{% endmacro %}


{% macro snowflake___plain_timestamp() %}
    {%- do return('timestamp_ntz') -%}
{% endmacro %}


{#- https://docs.snowflake.com/en/sql-reference/functions/system_wait -#}
{% macro snowflake___rest(seconds) %}
    {%- do backfill_safety._fetch('select system$wait(' ~ (seconds * 1000) | int ~ ", 'MILLISECONDS')") -%}
{% endmacro %}


{#- REAL has 64 bits there, as FLOAT and DOUBLE: rounded to seven digits instead.
    https://docs.snowflake.com/en/sql-reference/data-types-numeric#data-types-for-floating-point-numbers -#}
{% macro snowflake___rounded_sql(quoted, data_type) %}
    {%- if not modules.re.match('double|float|real', data_type) -%} {%- do return(quoted) -%} {%- endif -%}
    {%- do return('coalesce(round(' ~ quoted ~ ', 6 - cast(floor(log(10, abs(nullif(' ~ quoted ~ ', 0)))) as integer)), ' ~ quoted
        ~ ')') -%}
{% endmacro %}
