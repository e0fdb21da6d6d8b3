{#- Redshift: transactions, and DDL inside of them; no advisory locks, no row locks. dbt-redshift is built on dbt-postgres, whose macros
    dbt would take here: each of them has its own form below.
    https://docs.aws.amazon.com/redshift/latest/dg/c_redshift-and-postgres-sql.html -#}
{% macro redshift___proof() %}
    {%- do return({'engine': 'redshift', 'is': 'generated'}) -%}
{% endmacro %}


{#- One statement a call: the driver prepares each. -#}
{% macro redshift___run(statements) %}
    {%- do return(backfill_safety.default___run(statements)) -%}
{% endmacro %}


{% macro redshift___fetch(sql) %}
    {%- do return(backfill_safety.default___fetch(sql)) -%}
{% endmacro %}


{% macro redshift___attempt(plan, before, group) %}
    {%- do return(backfill_safety.default___attempt(plan, before, group)) -%}
{% endmacro %}


{#- Values are hashed in their binary form, so no session setting changes the result; what it gives for a NULL is not written there, so
    each value is hashed by itself and a NULL has a text of its own. https://docs.aws.amazon.com/redshift/latest/dg/r_FNV_HASH.html
    The sum of BIGINTs is a NUMERIC(38, 0). https://docs.aws.amazon.com/redshift/latest/dg/r_SUM.html -#}
{% macro redshift___checksum_of(expressions) %}
    {%- do return('cast(sum(' ~ backfill_safety._fnv_row_hash(expressions) ~ ') as varchar)') -%}
{% endmacro %}


{% macro redshift___distinct_rows(expressions) %}
    {%- do return('count(distinct ' ~ backfill_safety._fnv_row_hash(expressions) ~ ')') -%}
{% endmacro %}


{% macro _fnv_row_hash(expressions) %}
    {%- set parts = [] -%}
    {%- for expression in expressions -%}
        {%- do parts.append('case when ' ~ expression ~ " is null then '-' else cast(fnv_hash(" ~ expression ~ ') as varchar) end') -%}
    {%- endfor -%}
    {%- do return('fnv_hash(' ~ parts | join(" || ',' || ") ~ ')') -%}
{% endmacro %}


{#- https://docs.aws.amazon.com/redshift/latest/dg/r_Datetime_types.html -#}
{% macro redshift___literal(text, kind) %}
    {%- if kind == 'timestamptz' -%} {%- do return('cast(' ~ backfill_safety._quoted(text ~ '+00') ~ ' as timestamptz)') -%} {%- endif -%}
    {%- do return(backfill_safety.default___literal(text, kind)) -%}
{% endmacro %}


{#- A backslash escapes. https://docs.aws.amazon.com/redshift/latest/dg/r_REGEXP_REPLACE.html (its patterns double theirs) -#}
{% macro redshift___quoted(text) %}
    {%- do return("'" ~ text | replace('\\', '\\\\') | replace("'", "''") ~ "'") -%}
{% endmacro %}


{#- The statement's beginning in the session's zone, by which it becomes an instant again, and then UTC.
    https://docs.aws.amazon.com/redshift/latest/dg/r_GETDATE.html, r_AT_TIME_ZONE.html -#}
{% macro redshift___now_sql() %}
    {%- do return("(cast(getdate() as timestamptz) at time zone 'UTC')") -%}
{% endmacro %}


{#- TEXT is VARCHAR(256) there. https://docs.aws.amazon.com/redshift/latest/dg/r_Character_types.html -#}
{% macro redshift___ledger_types() %}
    {%- do return({'text': 'varchar(65535)', 'integer': 'bigint', 'timestamp': 'timestamp'}) -%}
{% endmacro %}


{#- Nothing rests there. -#}
{% macro redshift___rest(seconds) %}
    {%- do return(backfill_safety.default___rest(seconds)) -%}
{% endmacro %}


{#- Rows that the scans give, one line each; a guess where a table was never analyzed, which the last lines say.
    https://docs.aws.amazon.com/redshift/latest/dg/r_EXPLAIN.html, c-the-query-plan.html -#}
{% macro redshift___reads(sql) %}
    {%- set parts = [] -%}
    {%- for row in backfill_safety._fetch('explain ' ~ sql) -%}
        {%- set line = row[0] | string -%}
        {%- set told = modules.re.search(' rows=(\\d+) ', line) -%}
        {%- if 'Seq Scan ' in line -%} {%- do parts.append({'rows': told.group(1) | int} if told else none) -%} {%- endif -%}
        {%- if 'missing statistics' in line -%} {%- do parts.append(none) -%} {%- endif -%}
    {%- endfor -%}
    {%- do return(backfill_safety._told({'rows': 'rows'}, parts)) -%}
{% endmacro %}


{% macro redshift___estimate(plan) %}
    {%- do return(backfill_safety._explained_estimate(plan)) -%}
{% endmacro %}


{#- Of Postgres' form, which asks for what is not told here, nothing is taken. -#}
{% macro redshift___scans(sql) %}
    {%- do return(none) -%}
{% endmacro %}


{#- Keys are not enforced. https://docs.aws.amazon.com/redshift/latest/dg/t_Defining_constraints.html -#}
{% macro redshift___lease_key() %}
    {%- do return('') -%}
{% endmacro %}


{% macro redshift___on_taken_lease() %}
    {%- do return('') -%}
{% endmacro %}


{#- Two transactions that read and write one table at once end with error 1023, unless the table is locked first: who comes second
    then waits, and reads what the first has committed. https://docs.aws.amazon.com/redshift/latest/dg/r_LOCK.html -#}
{% macro redshift___lease_alone_sql(relation) %}
    {%- do return(['lock table ' ~ backfill_safety._ledger(relation, 'leases')]) -%}
{% endmacro %}


{#- The ledger's tables are read and written by every commit, so commits of several backfills in one schema come one after the other. -#}
{% macro redshift___before_commit_sql(relation) %}
    {%- do return([
        'lock table ' ~ backfill_safety._ledger(relation, 'leases') ~ ', ' ~ backfill_safety._ledger(relation, 'units') ~ ', '
        ~ backfill_safety._ledger(relation, 'runs') ~ ', ' ~ relation
    ]) -%}
{% endmacro %}


{#- Who makes the ledger at the same time as another ends with an error, and finds it when asked again. -#}
{% macro redshift___alone_sql() %}
    {%- do return([]) -%}
{% endmacro %}


{% macro redshift___wait_for_locks() %}
    {%- do return([]) -%}
{% endmacro %}


{% macro redshift___check_now_sql() %}
    {%- do return([]) -%}
{% endmacro %}


{% macro redshift___generated_columns(relation) %}
    {%- do return([]) -%}
{% endmacro %}


{% macro redshift___as_they_were() %}
    {%- do return('') -%}
{% endmacro %}


{% macro redshift___begin_sql() %}
    {%- do return(backfill_safety.default___begin_sql()) -%}
{% endmacro %}


{% macro redshift___begin_plan() %}
    {%- do return(none) -%}
{% endmacro %}


{% macro redshift___add_columns(plan) %}
    {%- do return(backfill_safety.default___add_columns(plan)) -%}
{% endmacro %}


{% macro redshift___show_alive_sql(holder) %}
    {%- do return([]) -%}
{% endmacro %}


{% macro redshift___holder_is_gone_sql() %}
    {%- do return('1 = 0') -%}
{% endmacro %}


{% macro redshift___can_take_turns() %}
    {%- do return(false) -%}
{% endmacro %}


{% macro redshift___try_turn_sql(relation, wait=none) %}
    {%- do return(none) -%}
{% endmacro %}


{% macro redshift___try_shared_turn_sql(relation) %}
    {%- do return(none) -%}
{% endmacro %}


{% macro redshift___worker_locks(holder) %}
    {%- do return(none) -%}
{% endmacro %}


{% macro redshift___why_no_workers() %}
    {%- do return('it locks whole tables') -%}
{% endmacro %}


{% macro redshift___live_run_begins_sql(relation, on_conflict, wait_seconds) %}
    {%- do return(backfill_safety.default___live_run_begins_sql(relation, on_conflict, wait_seconds)) -%}
{% endmacro %}


{#- Foreign keys are not enforced, and there are no triggers. -#}
{% macro redshift___attached_sql(relation) %}
    {%- do return(none) -%}
{% endmacro %}


{% macro redshift___units_in_select(plan) %}
    {%- do return(backfill_safety.default___units_in_select(plan)) -%}
{% endmacro %}


{#- Every slice takes part in an insert. https://docs.aws.amazon.com/redshift/latest/dg/c_high_level_system_architecture.html -#}
{% macro redshift___fill_like_sql(table, columns, relation, header, query) %}
    {%- do return(backfill_safety.default___fill_like_sql(table, columns, relation, header, query)) -%}
{% endmacro %}


{#- There are no indexes. https://docs.aws.amazon.com/redshift/latest/dg/c_unsupported-postgresql-features.html -#}
{% macro redshift___index_sql(table, columns, name='') %}
    {%- do return([]) -%}
{% endmacro %}


{#- https://docs.aws.amazon.com/redshift/latest/dg/r_WITH_clause.html: nothing but queries -#}
{% macro redshift___returns_deleted(attached) %}
    {%- do return(false) -%}
{% endmacro %}


{#- The catalog of Redshift says less of a column. -#}
{% macro redshift___filled_columns(relation) %}
    {%- do return(none) -%}
{% endmacro %}
