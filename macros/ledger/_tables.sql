{#- The ledger's tables and the run's own: where they lie and what they hold. Only this folder knows them. -#}
{% macro _ledger_relation(relation, name) %}
    {%- set schema = (var('backfill_safety', {}) or {}).get('schema') or relation.schema -%}
    {%- do return(api.Relation.create(database=relation.database, schema=schema, identifier='backfill_safety_' ~ name, type='table')) -%}
{% endmacro %}


{#- What is read as a table of the ledger. -#}
{% macro _ledger(relation, name) %}
    {%- if backfill_safety._engine('_has_views')() -%} {%- do return(backfill_safety._ledger_relation(relation, name)) -%} {%- endif -%}
    {%- do return('(' ~ backfill_safety._newest_entries_sql(relation, name) ~ ')') -%}
{% endmacro %}


{#- Whether the newest rows of a log can be had as a view. -#}
{% macro default___has_views() %}
    {%- do return(true) -%}
{% endmacro %}


{#- A table that belongs to one run: its backup of replaced rows, or its rows read once. -#}
{% macro _run_table(relation, kind, run_id) %}
    {%- do return(backfill_safety._ledger_relation(relation, kind ~ '_' ~ run_id)) -%}
{% endmacro %}


{#- name → type, in this version's order. Bounds and values are text, so that they mean the same on every engine. -#}
{% macro _ledger_columns(name) %}
    {%- set columns = {
        'runs': 'run_id text, ledger_version integer, model text, relation text, column_name text, column_kind text, column_format text, '
            ~ 'grain text, timezone text, window_start text, window_end text, units integer, branch text, read_mode text, settings text, '
            ~ 'fingerprint text, pinned text, cursor_values text, findings text, verdict text, accepted text, reason text, '
            ~ 'where_sql text, state text, columns_written text, cancel_requested integer, target_name text, operator text, '
            ~ 'started_at timestamp, finished_at timestamp',
        'units': 'run_id text, unit_no integer, name text, lower_bound text, upper_bound text, state text, attempt integer, worker text, '
            ~ 'rows_before integer, rows_deleted integer, rows_inserted integer, checksum_before text, checksum_after text, message text, '
            ~ 'started_at timestamp, finished_at timestamp',
        'leases': 'relation text, holder text, taken_at timestamp, expires_at timestamp',
    }[name] -%}
    {%- do return(dict(modules.re.findall('(\\w+) (\\w+)', columns))) -%}
{% endmacro %}


{% macro _create_ledger_sql(relation) %}
    {%- if not backfill_safety._has_transactions() -%} {%- do return(backfill_safety._appended_ledger_sql(relation)) -%} {%- endif -%}
    {%- set statements = [] -%}
    {%- set types = backfill_safety._engine('_ledger_types')() -%}
    {#- runs come last: a ledger is there when they are, and whoever was killed before begins again -#}
    {%- for name in ['leases', 'units', 'runs'] -%}
        {%- set columns = [] -%}
        {%- for column, type in backfill_safety._ledger_columns(name).items() -%}
            {%- set key = backfill_safety._engine('_lease_key')() if (name, column) == ('leases', 'relation') else '' -%}
            {%- do columns.append(column ~ ' ' ~ types[type] ~ key) -%}
        {%- endfor -%}
        {%- do statements.extend(backfill_safety._engine('_create_missing_sql')(backfill_safety._ledger(relation, name), columns)) -%}
    {%- endfor -%}
    {%- do statements.extend(backfill_safety._engine('_index_sql')(backfill_safety._ledger(relation, 'units'), 'run_id, unit_no',
        'backfill_safety_units_of_run')) -%}
    {%- do return(statements) -%}
{% endmacro %}


{#- What texts, whole numbers and times without a zone are called in a table of the ledger. -#}
{% macro default___ledger_types() %}
    {%- do return({'text': dbt.type_string(), 'integer': dbt.type_bigint(), 'timestamp': backfill_safety._engine('_plain_timestamp')()}) -%}
{% endmacro %}


{#- Statements that make a table of the ledger where it is missing; columns are 'name type'. -#}
{% macro default___create_missing_sql(table, columns) %}
    {%- do return(['create table if not exists ' ~ table ~ ' (' ~ columns | join(', ') ~ ')'
        ~ backfill_safety._engine('_log_clause')()]) -%}
{% endmacro %}


{#- How an engine that enforces keys is told that a relation has one lease. -#}
{% macro default___lease_key() %}
    {%- do return('') -%}
{% endmacro %}


{#- What rows of the ledger are inserted into: the table itself, or what stands behind it where rows are only appended. -#}
{% macro _ledger_store(relation, name) %}
    {%- do return(backfill_safety._ledger_relation(relation, name if backfill_safety._has_transactions() else name ~ '_log')) -%}
{% endmacro %}


{#- Whether there is a ledger; one of another version is refused. -#}
{% macro _ledger_exists(relation) %}
    {%- set runs = backfill_safety._ledger_relation(relation, 'runs') if backfill_safety._engine('_has_views')()
        else backfill_safety._ledger_store(relation, 'runs') -%}
    {%- if adapter.get_relation(runs.database, runs.schema, runs.identifier) is none -%} {%- do return(false) -%} {%- endif -%}
    {%- do backfill_safety._refuse_other_ledger(relation) -%}
    {%- do return(true) -%}
{% endmacro %}


{#- {column: value} → an insert; text is quoted, numbers and `sql(…)` pairs are not. -#}
{% macro _insert_sql(table, row) %}
    {%- set values = [] -%}
    {%- for value in row.values() -%} {%- do values.append(backfill_safety._ledger_value(value)) -%} {%- endfor -%}
    {#- not values: some engines take nothing but literals there -#}
    {%- do return('insert into ' ~ table ~ ' (' ~ row.keys() | join(', ') ~ ') select ' ~ values | join(', ')) -%}
{% endmacro %}


{% macro _ledger_value(value) %}
    {%- if value is none -%} {%- do return('null') -%} {%- endif -%}
    {%- if value is mapping -%} {%- do return(value.sql) -%} {%- endif -%}
    {%- if value is number -%} {%- do return(value | int | string) -%} {%- endif -%}
    {%- do return(backfill_safety._quoted(value)) -%}
{% endmacro %}


{#- The engine's clock in UTC, the ledger's only clock. -#}
{% macro _now() %}
    {%- do return({'sql': backfill_safety._engine('_now_sql')()}) -%}
{% endmacro %}


{% macro default___now_sql() %}
    {%- do return("cast(current_timestamp at time zone 'UTC' as timestamp)") -%}
{% endmacro %}
