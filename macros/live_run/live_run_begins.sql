{#- A pre-hook that keeps a live run and a backfill from writing at once; documented in macros.yml. -#}
{% macro live_run_begins(on_conflict='wait', wait_seconds=600) %}
    {%- if not execute -%} {%- do return('select 1') -%} {%- endif -%}
    {%- if on_conflict not in ['wait', 'fail'] -%}
        {%- do backfill_safety._refuse("on_conflict must be wait or fail, not '" ~ on_conflict ~ "'") -%}
    {%- endif -%}
    {%- if wait_seconds is not number or wait_seconds <= 0 -%}
        {%- do backfill_safety._refuse('wait_seconds must be a number above 0, not ' ~ wait_seconds) -%}
    {%- endif -%}
    {%- do return(backfill_safety._engine('_live_run_begins_sql')(this, on_conflict, wait_seconds)) -%}
{% endmacro %}


{% macro default___live_run_begins_sql(relation, on_conflict, wait_seconds) %}
    {%- do backfill_safety._refuse('live_run_begins is not available on ' ~ target.type ~ '; pause the schedule while a backfill runs') -%}
{% endmacro %}


{#- One process holds the file: there is nobody to wait for. -#}
{% macro duckdb___live_run_begins_sql(relation, on_conflict, wait_seconds) %}
    {%- do return('select 1') -%}
{% endmacro %}


{#- dbt runs a model's hooks inside of its transaction, with which the lock ends, however it ends, and with it the setting that
    live_run_ends looks for. The wait is bounded for this lock alone. Above read committed the model would see what was there before it
    waited.
    https://docs.getdbt.com/reference/resource-configs/pre-hook-post-hook#transaction-behavior -#}
{% macro postgres___live_run_begins_sql(relation, on_conflict, wait_seconds) %}
    {%- set key = backfill_safety._turn_key_sql(relation) -%}
    {%- set take = 'if not pg_try_advisory_xact_lock(' ~ key ~ ') then ' ~ backfill_safety._raise_sql('backfill_safety: a backfill is '
        ~ 'committing a unit of ' ~ relation ~ '; run again in a moment, or write on_conflict wait') ~ '; end if;' -%}
    {%- if on_conflict == 'wait' -%}
        {%- set take = "perform set_config('lock_timeout', '" ~ (wait_seconds * 1000) | int ~ "', true); begin perform "
            ~ 'pg_advisory_xact_lock(' ~ key ~ '); exception when lock_not_available then '
            ~ backfill_safety._raise_sql('backfill_safety: a backfill or another run has been writing to ' ~ relation ~ ' for '
                ~ wait_seconds ~ ' s; run again later, or write a longer wait_seconds')
            ~ "; end; perform set_config('lock_timeout', before, true);" -%}
    {%- endif -%}
    {%- do return(
        "do $backfill_safety$ declare before text := current_setting('lock_timeout'); begin "
        ~ "if current_setting('transaction_isolation') not like 'read %' then "
        ~ backfill_safety._raise_sql('backfill_safety: live_run_begins keeps writers of ' ~ relation ~ ' apart at read committed alone; '
            ~ 'write set transaction isolation level read committed as a pre-hook in front of it')
        ~ '; end if; ' ~ take ~ " perform set_config('backfill_safety.live_run', " ~ backfill_safety._quoted(relation)
        ~ ', true); end $backfill_safety$'
    ) -%}
{% endmacro %}


{% macro _raise_sql(message) %}
    {%- do return('raise exception ' ~ backfill_safety._quoted('%') ~ ', ' ~ backfill_safety._quoted(message)) -%}
{% endmacro %}
