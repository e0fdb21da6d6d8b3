{#- Postgres: a script is one round trip; DDL is transactional; many sessions write at once. -#}
{% macro postgres___fetch(sql) %}
    {%- set cursor = adapter.add_query(sql, auto_begin=false)[1] -%}
    {%- do return(cursor.fetchall() if cursor.description is not none else []) -%}
{% endmacro %}


{% macro postgres___run(statements) %}
    {%- do return(backfill_safety.postgres___fetch(statements | join(';\n'))) -%}
{% endmacro %}


{#- The binary form of a row, as it goes over the wire: unlike its text it does not change with a session's TimeZone, DateStyle or
    extra_float_digits, so that an undo elsewhere finds the same. https://www.postgresql.org/docs/15/xtypes.html -#}
{% macro postgres___checksum_of(expressions) %}
    {%- do return('cast(sum(' ~ backfill_safety._row_hash_sql(expressions) ~ ') as text)') -%}
{% endmacro %}


{% macro postgres___distinct_rows(expressions) %}
    {%- do return('count(distinct ' ~ backfill_safety._row_hash_sql(expressions) ~ ')') -%}
{% endmacro %}


{% macro _row_hash_sql(expressions) %}
    {%- do return("hashtextextended(encode(record_send(row(" ~ expressions | join(', ') ~ ")), 'hex'), 0)") -%}
{% endmacro %}


{#- https://www.postgresql.org/docs/15/functions-datetime.html#FUNCTIONS-DATETIME-DELAY; a role's statement_timeout is not meant for it. -#}
{% macro postgres___rest(seconds) %}
    {%- do backfill_safety._run(['begin', 'set local statement_timeout = 0', 'select pg_sleep(' ~ seconds ~ ')', 'commit']) -%}
{% endmacro %}


{#- "Plan Rows" of each scan in EXPLAIN (FORMAT json); a table's size in pg_class, as the last analyze saw it.
    https://www.postgresql.org/docs/15/sql-explain.html -#}
{% macro postgres___scans(sql) %}
    {%- set scans = backfill_safety._postgres_scans(backfill_safety._fetch('explain (format json, verbose) ' ~ sql)[0][0][0].Plan) -%}
    {%- set sizes = {} -%}
    {%- for name, size in backfill_safety._fetch(
        "select n.nspname || '.' || c.relname, greatest(c.reltuples, 0)::bigint from pg_class as c "
        ~ "join pg_namespace as n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'm')"
    ) -%} {%- do sizes.update({name: size}) -%} {%- endfor -%}
    {%- for scan in scans -%} {%- do scan.update({'size': [sizes.get(scan.table, 0), scan.rows] | max}) -%} {%- endfor -%}
    {%- do return(scans) -%}
{% endmacro %}


{% macro _postgres_scans(node) %}
    {%- set scans = [] -%}
    {%- if node['Relation Name'] is defined -%}
        {%- do scans.append({'table': node['Schema'] ~ '.' ~ node['Relation Name'], 'rows': node['Plan Rows'], 'size': 0}) -%}
    {%- endif -%}
    {%- for child in node.get('Plans', []) -%} {%- do scans.extend(backfill_safety._postgres_scans(child)) -%} {%- endfor -%}
    {%- do return(scans) -%}
{% endmacro %}


{% macro postgres___index_sql(table, columns, name='') %}
    {%- do return(['create index ' ~ ('if not exists ' ~ name ~ ' ' if name else '') ~ 'on ' ~ table ~ ' (' ~ columns ~ ')']) -%}
{% endmacro %}


{#- Several processes may compute what `create table as` fills a table with, and not what an insert does. Its columns have the query's
    types: where these are not the target's, values are converted by an insert, before they are cut into units.
    https://www.postgresql.org/docs/15/when-can-parallel-query-be-used.html -#}
{% macro postgres___fill_like_sql(table, columns, relation, header, query) %}
    {%- set fill, sql = backfill_safety._postgres_quote('fill'), backfill_safety._postgres_quote('query') -%}
    {%- do return([
        header ~ 'create table ' ~ table ~ ' as ' ~ query ~ ' with no data',
        'do ' ~ fill ~ ' declare converts boolean; begin select exists (select 1 from pg_attribute as n where n.attrelid = '
        ~ backfill_safety._quoted(table) ~ '::regclass and n.attnum > 0 and not exists (select 1 from pg_attribute as o where o.attrelid = '
        ~ backfill_safety._quoted(relation) ~ '::regclass and o.attname = n.attname and o.atttypid = n.atttypid '
        ~ 'and o.atttypmod = n.atttypmod and o.attcollation = n.attcollation)) into converts; drop table ' ~ table ~ '; '
        ~ 'if converts then ' ~ backfill_safety._engine('_create_like_sql')(table, columns, relation) | join('; ') ~ '; execute ' ~ sql
        ~ 'insert into ' ~ table ~ ' (' ~ columns ~ ') ' ~ query ~ sql ~ '; else execute ' ~ sql ~ 'create table ' ~ table ~ ' as '
        ~ query ~ sql ~ '; end if; end ' ~ fill,
    ]) -%}
{% endmacro %}


{#- So many rows are sorted within the memory that a session has by default. Several selects in a commit are computed aside, in a temporary
    table: that pays where they read far more rows than they give, and a role may be denied it.
    https://www.postgresql.org/docs/15/runtime-config-resource.html#GUC-WORK-MEM -#}
{% macro postgres___units_in_select(plan) %}
    {%- set size = backfill_safety._units_of_rows(plan, 40000) -%}
    {%- if size is none or plan.request.units_per_commit == 1 or plan.estimate.rows < 4 * plan.existing.window -%}
        {%- do return(none) -%}
    {%- endif -%}
    {%- set may_make = backfill_safety._fetch("select has_database_privilege(current_database(), 'temporary')")[0][0] -%}
    {%- do return(size if may_make else none) -%}
{% endmacro %}


{#- Two sessions that take a lease at once meet on its key: the later one waits for the earlier one's commit and takes nothing. -#}
{% macro postgres___lease_key() %}
    {%- do return(' primary key') -%}
{% endmacro %}


{% macro postgres___on_taken_lease() %}
    {%- do return(' on conflict (relation) do nothing') -%}
{% endmacro %}


{#- A lock of the session's own, which Postgres frees when it ends, however it ends; the workers of a run share one. Behind a
    pooler that shares sessions it tells nothing, and the lease's end counts.
    https://www.postgresql.org/docs/15/explicit-locking.html#ADVISORY-LOCKS -#}
{% macro postgres___show_alive_sql(holder) %}
    {%- do return([
        backfill_safety._bounded_wait_sql(),
        'select pg_advisory_lock_shared(' ~ backfill_safety._holder_key_sql(backfill_safety._quoted(holder)) ~ ')',
    ]) -%}
{% endmacro %}


{% macro postgres___holder_is_gone_sql() %}
    {%- do return('pg_try_advisory_xact_lock(' ~ backfill_safety._holder_key_sql('holder') ~ ')') -%}
{% endmacro %}


{% macro _holder_key_sql(holder_sql) %}
    {%- do return("hashtextextended('backfill_safety holder ' || " ~ holder_sql ~ ', 0)') -%}
{% endmacro %}


{#- In this transaction a lock is waited for so long, unless the role or the database sets its own lock_timeout. -#}
{% macro _bounded_wait_sql(wait='2min') %}
    {%- do return("select set_config('lock_timeout', coalesce(nullif(current_setting('lock_timeout'), '0'), '" ~ wait ~ "'), true)") -%}
{% endmacro %}


{#- At repeatable read, which a role or a database may have as its default, a commit would not see what the live run has written while
    it waited for its turn. https://www.postgresql.org/docs/15/transaction-iso.html -#}
{% macro postgres___begin_sql() %}
    {%- do return('begin isolation level read committed') -%}
{% endmacro %}


{#- A plan is read in a transaction of its own, which ends before anything is written: where somebody has locked a table, it does not
    wait for ever, and nothing of that stays on in the session. -#}
{% macro postgres___begin_plan() %}
    {%- do backfill_safety._run(['begin', backfill_safety._bounded_wait_sql()]) -%}
{% endmacro %}


{#- The clock and not the transaction's beginning: a lease must not be older than the commit that renews it. -#}
{% macro postgres___now_sql() %}
    {%- do return("cast(clock_timestamp() at time zone 'UTC' as timestamp)") -%}
{% endmacro %}


{% macro postgres___wait_for_locks() %}
    {%- do return([backfill_safety._bounded_wait_sql()]) -%}
{% endmacro %}


{#- What is deferrable is checked here, where it can be told of the unit, and not at the commit. -#}
{% macro postgres___check_now_sql() %}
    {%- do return(['set constraints all immediate']) -%}
{% endmacro %}


{#- https://www.postgresql.org/docs/15/ddl-generated-columns.html -#}
{% macro postgres___generated_columns(relation) %}
    {%- set names = [] -%}
    {%- for row in backfill_safety._fetch("select attname::text from pg_attribute where attrelid = " ~ backfill_safety._quoted(relation)
        ~ "::regclass and attnum > 0 and not attisdropped and attgenerated <> ''") -%}
        {%- do names.append(row[0]) -%}
    {%- endfor -%}
    {%- do return(names) -%}
{% endmacro %}


{#- https://www.postgresql.org/docs/15/sql-insert.html: identity columns that are generated always -#}
{% macro postgres___as_they_were() %}
    {%- do return(' overriding system value') -%}
{% endmacro %}


{#- A delete waits for who is writing to a row, and takes what that writes: a look or a copy made before has not seen it. Rules do not
    allow such a statement. https://www.postgresql.org/docs/15/queries-with.html#QUERIES-WITH-MODIFYING -#}
{% macro postgres___returns_deleted(attached) %}
    {%- do return('rule' not in attached | map('first')) -%}
{% endmacro %}


{#- A writer's turn: an advisory lock that ends with its transaction. The live run's guard takes the same one.
    https://www.postgresql.org/docs/15/functions-admin.html#FUNCTIONS-ADVISORY-LOCKS -#}
{% macro postgres___try_turn_sql(relation, wait='10s') %}
    {%- do return(backfill_safety._bounded_wait_sql(wait) ~ '; select pg_try_advisory_xact_lock('
        ~ backfill_safety._turn_key_sql(relation) ~ ')') -%}
{% endmacro %}


{% macro _turn_key_sql(relation) %}
    {%- set name = [relation.database, relation.schema, relation.identifier] | join('.') | lower -%}
    {%- do return('hashtextextended(' ~ backfill_safety._quoted('backfill_safety ' ~ name) ~ ', 0)') -%}
{% endmacro %}


{#- Sessions that make the ledger at once would both find it missing. -#}
{% macro postgres___alone_sql() %}
    {%- do return([
        backfill_safety._bounded_wait_sql(), "select pg_advisory_xact_lock(hashtextextended('backfill_safety ledger', 0))",
    ]) -%}
{% endmacro %}


{#- https://www.postgresql.org/docs/15/infoschema-columns.html; DuckDB has the same view. -#}
{% macro postgres___filled_columns(relation) %}
    {%- set names = [] -%}
    {%- for row in backfill_safety._fetch('select cast(column_name as varchar) from information_schema.columns where table_schema = '
        ~ backfill_safety._quoted(relation.schema) ~ ' and table_name = ' ~ backfill_safety._quoted(relation.identifier)
        ~ " and (column_default is not null or coalesce(is_identity, 'NO') = 'YES')") -%}
        {%- do names.append(row[0]) -%}
    {%- endfor -%}
    {%- do return(names) -%}
{% endmacro %}
