{#- SQL Server: a unit is a transaction, its row of the ledger inside. BEGIN alone opens a block there, and a query takes no WITH inside.
    https://learn.microsoft.com/sql/t-sql/language-elements/transactions-transact-sql -#}
{% macro sqlserver___proof() %}
    {%- do return({'engine': 'sqlserver', 'is': 'generated'}) -%}
{% endmacro %}


{#- An error takes the whole transaction back, and not only its statement.
    https://learn.microsoft.com/sql/t-sql/statements/set-xact-abort-transact-sql -#}
{% macro sqlserver___run(statements) %}
    {%- set words = {
        'begin': 'set xact_abort on; begin transaction',
        'commit': 'if @@trancount > 0 commit transaction',
        'rollback': 'if @@trancount > 0 rollback transaction',
    } -%}
    {%- set last = namespace(rows=[]) -%}
    {%- for statement in statements -%} {%- set last.rows = backfill_safety._fetch(words.get(statement, statement)) -%} {%- endfor -%}
    {%- do return(last.rows) -%}
{% endmacro %}


{% macro sqlserver___fetch(sql) %}
    {%- set cursor = adapter.add_query(sql, auto_begin=false)[1] -%}
    {%- do return(cursor.fetchall() if cursor.description is not none else []) -%}
{% endmacro %}


{% macro sqlserver___end_transaction() %}
    {%- do backfill_safety._run(['commit']) -%}
{% endmacro %}


{#- Joined units are told apart by GROUP BY 2, which T-SQL does not take, and a temporary table is made otherwise there. -#}
{% macro sqlserver___check_target(request) %}
    {%- if not request.backup -%}
        {%- do backfill_safety._refuse('backup: false is not available on sqlserver: the old rows lie in the backup while a commit is '
            ~ 'judged; leave backup out, and drop it afterwards with cleanup_backfills') -%}
    {%- endif -%}
    {%- if request.inputs -%}
        {%- do backfill_safety._refuse('inputs are not available on sqlserver; leave inputs out, and the window is read once') -%}
    {%- endif -%}
    {%- do request.update({'units_per_commit': 1}) -%}
{% endmacro %}


{#- https://learn.microsoft.com/sql/t-sql/queries/with-common-table-expression-transact-sql: not inside of a subquery -#}
{% macro sqlserver___query_columns(sql) %}
    {%- if modules.re.match('(?is)\\s*(--[^\\n]*\\n\\s*|/\\*.*?\\*/\\s*)*with\\b', sql) -%}
        {%- do backfill_safety._refuse('the SQL of the model begins with WITH (or reads an ephemeral model), which SQL Server does not '
            ~ 'take inside of another query; write it as subqueries, or keep it in a view that the model selects from') -%}
    {%- endif -%}
    {%- do return(backfill_safety.default___query_columns(sql)) -%}
{% endmacro %}


{#- The union keeps an identity from being copied with its column, which nothing could be inserted into.
    https://learn.microsoft.com/sql/t-sql/queries/select-into-clause-transact-sql -#}
{% macro sqlserver___create_like_sql(table, columns, relation) %}
    {%- set none_of_it = 'select ' ~ columns ~ ' from ' ~ relation ~ ' where 1 = 0' -%}
    {%- do return(['select * into ' ~ table ~ ' from (' ~ none_of_it ~ ' union all ' ~ none_of_it ~ ') as empty_rows']) -%}
{% endmacro %}


{#- https://learn.microsoft.com/sql/t-sql/functions/object-id-transact-sql -#}
{% macro sqlserver___create_missing_sql(table, columns) %}
    {%- do return(['if object_id(' ~ backfill_safety._quoted(table) ~ ", 'U') is null create table " ~ table ~ ' (' ~ columns | join(', ')
        ~ ')']) -%}
{% endmacro %}


{% macro sqlserver___ledger_types() %}
    {%- do return({'text': 'nvarchar(max)', 'integer': 'bigint', 'timestamp': 'datetime2(6)'}) -%}
{% endmacro %}


{#- https://learn.microsoft.com/sql/t-sql/statements/alter-table-transact-sql: ADD, without COLUMN -#}
{% macro sqlserver___add_column_sql(relation, column) %}
    {%- do return('alter table ' ~ relation ~ ' add ' ~ backfill_safety._quote(column.name) ~ ' ' ~ column.data_type) -%}
{% endmacro %}


{#- An application lock that ends with the transaction. It waits, and says with a negative number that it was not had: then the
    transaction must not go on. https://learn.microsoft.com/sql/relational-databases/system-stored-procedures/sp-getapplock-transact-sql -#}
{% macro sqlserver___alone_sql() %}
    {%- do return([
        "declare @got int; exec @got = sp_getapplock @Resource = 'backfill_safety ledger', @LockMode = 'Exclusive', "
        ~ '@LockTimeout = 120000; if @got < 0 begin; throw 50000, '
        ~ "'backfill_safety: the ledger was locked for two minutes; ask again', 1; end"
    ]) -%}
{% endmacro %}


{#- A commit renews its lease first, by an update whose row lock lasts until it ends; who takes leases comes alone. -#}
{% macro sqlserver___lease_alone_sql(relation) %}
    {%- do return(backfill_safety.sqlserver___alone_sql()) -%}
{% endmacro %}


{#- Values are hashed in their binary form, so that no session's language or date format counts, a NULL apart.
    https://learn.microsoft.com/sql/t-sql/functions/hashbytes-transact-sql
    CHECKSUM_AGG is an exclusive or of 32 bits, in which two equal rows are none. -#}
{% macro sqlserver___checksum_of(expressions) %}
    {%- do return('cast(sum(cast(convert(bigint, substring(' ~ backfill_safety._hashed_row(expressions)
        ~ ', 1, 8)) as decimal(38, 0))) as nvarchar(max))') -%}
{% endmacro %}


{% macro sqlserver___distinct_rows(expressions) %}
    {%- do return('count(distinct ' ~ backfill_safety._hashed_row(expressions) ~ ')') -%}
{% endmacro %}


{% macro _hashed_row(expressions) %}
    {%- set parts = [] -%}
    {%- for expression in expressions -%}
        {%- do parts.append("coalesce(0x01 + hashbytes('SHA2_256', convert(varbinary(max), " ~ expression ~ ')), 0x00)') -%}
    {%- endfor -%}
    {%- do return("hashbytes('SHA2_256', " ~ parts | join(' + ') ~ ')') -%}
{% endmacro %}


{#- ISO texts cast to these types mean the same in every language.
    https://learn.microsoft.com/sql/t-sql/data-types/datetime2-transact-sql -#}
{% macro sqlserver___literal(text, kind) %}
    {%- set types = {'date': 'date', 'timestamp': 'datetime2(6)', 'timestamptz': 'datetimeoffset(6)'} -%}
    {%- if kind in types -%}
        {%- do return("cast('" ~ text ~ (' +00:00' if kind == 'timestamptz' else '') ~ "' as " ~ types[kind] ~ ')') -%}
    {%- endif -%}
    {%- do return(backfill_safety.default___literal(text, kind)) -%}
{% endmacro %}


{#- N only where it is needed: beside it a VARCHAR column is converted row by row, and its index is not used.
    https://learn.microsoft.com/sql/t-sql/data-types/constants-transact-sql -#}
{% macro sqlserver___quoted(text) %}
    {%- do return(('' if text.isascii() else 'N') ~ "'" ~ text | replace("'", "''") ~ "'") -%}
{% endmacro %}


{#- TIMESTAMP is a row's version there and no time. https://learn.microsoft.com/sql/t-sql/data-types/rowversion-transact-sql -#}
{% macro sqlserver___column_kind(data_type) %}
    {%- if data_type.startswith('datetimeoffset') -%} {%- do return('timestamptz') -%} {%- endif -%}
    {%- do return('other' if data_type in ['timestamp', 'rowversion'] else backfill_safety.default___column_kind(data_type)) -%}
{% endmacro %}


{#- https://learn.microsoft.com/sql/t-sql/functions/sysutcdatetime-transact-sql -#}
{% macro sqlserver___now_sql() %}
    {%- do return('sysutcdatetime()') -%}
{% endmacro %}


{#- https://learn.microsoft.com/sql/t-sql/language-elements/waitfor-transact-sql -#}
{% macro sqlserver___rest(seconds) %}
    {%- do backfill_safety._fetch("waitfor delay '" ~ '%02d:%02d:%06.3f' % (seconds // 3600, seconds // 60 % 60, seconds % 60) ~ "'") -%}
{% endmacro %}
