{#- The post-hook that belongs to live_run_begins; documented in macros.yml. -#}
{% macro live_run_ends() %}
    {%- if not execute -%} {%- do return('select 1') -%} {%- endif -%}
    {%- do return(backfill_safety._engine('_live_run_ends_sql')(this)) -%}
{% endmacro %}


{#- Where the lock ends with the transaction, nothing is left to do. -#}
{% macro default___live_run_ends_sql(relation) %}
    {%- do return('select 1') -%}
{% endmacro %}


{#- A hook in between that commits has let the lock go, and so has a profile with autocommit. It is told before dbt commits what the model
    has written, where that is still possible. dbt runs the hooks of a microbatch model in its first and last batch, which may be two. -#}
{% macro postgres___live_run_ends_sql(relation) %}
    {%- if model.config.get('incremental_strategy') == 'microbatch' -%} {%- do return('select 1') -%} {%- endif -%}
    {%- do return(
        "do $backfill_safety$ begin if current_setting('backfill_safety.live_run', true) is distinct from "
        ~ backfill_safety._quoted(relation) ~ ' then '
        ~ backfill_safety._raise_sql('backfill_safety: the transaction in which live_run_begins was to keep backfills of ' ~ relation
            ~ ' away has ended, or never began; look for a hook that commits, transaction: false, or autocommit: true in the profile')
        ~ '; end if; end $backfill_safety$'
    ) -%}
{% endmacro %}


{% macro redshift___live_run_ends_sql(relation) %}
    {%- do return(backfill_safety.default___live_run_ends_sql(relation)) -%}
{% endmacro %}
