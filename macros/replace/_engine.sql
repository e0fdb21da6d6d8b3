{#- What an engine is asked for. default__ is written for engines with transactions and scripts; a file beside this one
    says what an engine does otherwise. -#}

{#- The macro of this engine for a name. dbt's dispatch builds an error for each place it looks in vain, so each is asked once. -#}
{% macro _engine(name) %}
    {%- set known = context.setdefault('backfill_safety_engine', {}) -%}
    {%- if name not in known -%}
        {#- dbt reads a direct call of dispatch when it parses, and wants the name written out there -#}
        {%- set dispatch = adapter.dispatch -%}
        {%- do known.update({name: dispatch(name, 'backfill_safety')}) -%}
    {%- endif -%}
    {%- do return(known[name]) -%}
{% endmacro %}


{#- One process holds the whole database, so nothing else writes meanwhile and a lease left behind belongs to a dead one. -#}
{% macro _holds_database_alone() %}
    {%- do return(backfill_safety._engine('_holds_database_alone')()) -%}
{% endmacro %}


{% macro default___holds_database_alone() %}
    {%- do return(false) -%}
{% endmacro %}


{#- Whether several statements can stand or fall together. Where they cannot, a unit's rows are computed and judged aside, then
    overwritten, then looked at: run/_commit_staged.sql. -#}
{% macro _has_transactions() %}
    {%- do return(backfill_safety._engine('_has_transactions')()) -%}
{% endmacro %}


{% macro default___has_transactions() %}
    {%- do return(true) -%}
{% endmacro %}


{#- Where there are no transactions: whether one statement replaces a unit all the same, so that readers see its old rows or its new
    ones and a killed run leaves no half of it. -#}
{% macro _overwrites_at_once() %}
    {%- do return(backfill_safety._engine('_overwrites_at_once')()) -%}
{% endmacro %}


{% macro default___overwrites_at_once() %}
    {%- do return(true) -%}
{% endmacro %}


{#- What a session needs before it reads for a plan. -#}
{% macro default___begin_plan() %}
    {%- do return(none) -%}
{% endmacro %}


{#- Refuses, before a row is read, what an engine cannot replace unit by unit; may set what else the request holds there. -#}
{% macro default___check_target(request) %}
    {%- do return(none) -%}
{% endmacro %}


{#- Statements that make an empty table with the columns of another. -#}
{% macro default___create_like_sql(table, columns, relation) %}
    {%- do return(['create table ' ~ table ~ ' as select ' ~ columns ~ ' from ' ~ relation ~ ' where 1 = 0']) -%}
{% endmacro %}


{#- Statements that make a table with columns of another and fill it from a query, which a model's header precedes. -#}
{% macro default___fill_like_sql(table, columns, relation, header, query) %}
    {%- do return(backfill_safety._engine('_create_like_sql')(table, columns, relation)
        + [header ~ 'insert into ' ~ table ~ ' (' ~ columns ~ ') ' ~ query]) -%}
{% endmacro %}


{#- Statements by which a unit is found in a table of a run's own or of the ledger without reading all of it. -#}
{% macro default___index_sql(table, columns, name='') %}
    {%- do return([]) -%}
{% endmacro %}


{#- Ends the transaction that dbt may have begun while it read the catalog, so that the next begin is the first. -#}
{% macro _end_transaction() %}
    {%- do backfill_safety._engine('_end_transaction')() -%}
{% endmacro %}


{% macro default___end_transaction() %}
    {%- do backfill_safety._fetch('commit') -%}
{% endmacro %}


{#- Statements after which a lock is not waited for without end, where an engine would. -#}
{% macro default___wait_for_locks() %}
    {%- do return([]) -%}
{% endmacro %}


{#- Statements after which constraints are checked that would be at the commit. -#}
{% macro default___check_now_sql() %}
    {%- do return([]) -%}
{% endmacro %}


{#- Columns of a table that take no value, since the engine computes them; and what an insert needs that gives an old row back with the
    numbers that the engine once made for it. -#}
{% macro default___generated_columns(relation) %}
    {%- do return([]) -%}
{% endmacro %}


{% macro default___as_they_were() %}
    {%- do return('') -%}
{% endmacro %}


{#- Whether a delete can give the rows that it takes to a query around it, so that no write of others falls in between. -#}
{% macro default___returns_deleted(attached) %}
    {%- do return(false) -%}
{% endmacro %}


{#- How a transaction is begun in which a look has to see what others have committed since, also where a session begins otherwise. -#}
{% macro default___begin_sql() %}
    {%- do return('begin') -%}
{% endmacro %}


{#- A query that tells whether this transaction may write to a target now, for engines in which the live run may as well;
    none where nobody else writes, or where only leases keep writers apart. -#}
{% macro default___try_turn_sql(relation, wait=none) %}
    {%- do return(none) -%}
{% endmacro %}


{#- Statements that keep other sessions from making the ledger at the same time. -#}
{% macro default___alone_sql() %}
    {%- do return([]) -%}
{% endmacro %}


{#- Runs statements in one round trip where the engine takes scripts; returns the rows of the last one. -#}
{% macro _run(statements) %}
    {%- do return(backfill_safety._engine('_run')(statements)) -%}
{% endmacro %}


{% macro default___run(statements) %}
    {%- set last = namespace(rows=[]) -%}
    {%- for statement in statements -%}
        {%- set last.rows = backfill_safety._fetch(statement) -%}
    {%- endfor -%}
    {%- do return(last.rows) -%}
{% endmacro %}


{#- The rows of a query as tuples. -#}
{% macro _fetch(sql) %}
    {%- do return(backfill_safety._engine('_fetch')(sql)) -%}
{% endmacro %}


{% macro default___fetch(sql) %}
    {%- set rows = [] -%}
    {%- set table = adapter.execute(sql, auto_begin=false, fetch=true)[1] -%}
    {%- for row in table.rows -%} {%- do rows.append(row.values() | list) -%} {%- endfor -%}
    {%- do return(rows) -%}
{% endmacro %}


{#- An order-independent checksum of rows, as text; of rows given as SQL expressions. -#}
{% macro _checksum_of(expressions) %}
    {%- do return(backfill_safety._engine('_checksum_of')(expressions)) -%}
{% endmacro %}


{#- The number of different rows. -#}
{% macro _distinct_rows(expressions) %}
    {%- do return(backfill_safety._engine('_distinct_rows')(expressions)) -%}
{% endmacro %}


{% macro default___checksum_of(expressions) %}
    {%- do return("cast(sum(cast(cast(('x' || substr(md5(" ~ backfill_safety._row_text(expressions)
        ~ "), 1, 15)) as bit(60)) as bigint)) as " ~ dbt.type_string() ~ ')') -%}
{% endmacro %}


{% macro default___distinct_rows(expressions) %}
    {%- do return('count(distinct md5(' ~ backfill_safety._row_text(expressions) ~ '))') -%}
{% endmacro %}


{#- A row as one text; a NULL differs from every text, and no two rows run together. -#}
{% macro _row_text(expressions) %}
    {%- set parts = [] -%}
    {%- for expression in expressions -%}
        {%- set text = 'cast(' ~ expression ~ ' as ' ~ dbt.type_string() ~ ')' -%}
        {%- do parts.append('coalesce(' ~ dbt.length(text) ~ " || ':' || " ~ text ~ ", '-')") -%}
    {%- endfor -%}
    {%- do return(parts | join(" || ',' || ")) -%}
{% endmacro %}


{#- A name as a quoted identifier; dbt's own quote leaves a quote inside of the name as it is. -#}
{% macro _quote(name) %}
    {%- set open, close = adapter.quote('~').split('~') -%}
    {%- do return(open ~ name | replace(close, close ~ close) ~ close) -%}
{% endmacro %}


{#- Column names as quoted SQL. -#}
{% macro _quoted_names(columns, prefix='') %}
    {%- set names = [] -%}
    {%- for column in columns -%} {%- do names.append(prefix ~ backfill_safety._quote(column)) -%} {%- endfor -%}
    {%- do return(names) -%}
{% endmacro %}


{#- What the planner expects a query to scan: [{table, rows, size}]; none where the engine does not tell. -#}
{% macro _scans(sql) %}
    {%- do return(backfill_safety._engine('_scans')(sql)) -%}
{% endmacro %}


{% macro default___scans(sql) %}
    {%- do return(none) -%}
{% endmacro %}


{#- Rests in the engine, since Jinja cannot. -#}
{% macro _rest(seconds) %}
    {%- do return(backfill_safety._engine('_rest')(seconds)) -%}
{% endmacro %}


{% macro default___rest(seconds) %}
    {%- do backfill_safety._refuse('pause_seconds is not available on ' ~ target.type ~ '; leave it out') -%}
{% endmacro %}


{#- The ways in which an engine can replace a unit, the default first. -#}
{% macro _replace_methods() %}
    {%- do return(backfill_safety._engine('_replace_methods')()) -%}
{% endmacro %}


{% macro default___replace_methods() %}
    {%- do return(['delete+insert']) -%}
{% endmacro %}


{#- Columns that an insert which does not name them fills with something else than NULL; none where the catalog is not asked. -#}
{% macro default___filled_columns(relation) %}
    {%- do return(none) -%}
{% endmacro %}


{#- What an engine whose file one process holds calls a database that others may write to as well; none where there is none. -#}
{% macro default___shared_database(relation) %}
    {%- do return(none) -%}
{% endmacro %}
