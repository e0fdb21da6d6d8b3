{#- A lease on a target: two backfills never replace its units at once. Taken in one transaction; it expires, is renewed and
    looked at in each commit, and one left behind by a process that is known to be dead counts for nothing. Who is taken for
    dead too early does no harm: its next commit finds the lease gone. -#}
{% macro _take_lease_sql(relation, holder) %}
    {%- if not backfill_safety._has_transactions() -%}
        {%- do return(backfill_safety._appended_lease_sql(relation, holder)) -%}
    {%- endif -%}
    {%- set table = backfill_safety._ledger(relation, 'leases') -%}
    {%- set name = backfill_safety._quoted(relation) -%}
    {%- set stale = '' if backfill_safety._holds_database_alone()
        else ' and (' ~ backfill_safety._stale_lease_sql() ~ ' or holder = ' ~ backfill_safety._quoted(holder) ~ ')' -%}
    {%- do return(backfill_safety._engine('_show_alive_sql')(holder) + backfill_safety._engine('_lease_alone_sql')(relation) + [
        'delete from ' ~ table ~ ' where relation = ' ~ name ~ stale,
        'insert into ' ~ table ~ ' (relation, holder, taken_at, expires_at) select ' ~ name ~ ', ' ~ backfill_safety._quoted(holder) ~ ', '
        ~ backfill_safety._now().sql ~ ', ' ~ backfill_safety._lease_end_sql()
        ~ ' where not exists (select 1 from ' ~ table ~ ' where relation = ' ~ name ~ ')' ~ backfill_safety._engine('_on_taken_lease')(),
    ]) -%}
{% endmacro %}


{#- Whether a row of the leases binds nobody any more. -#}
{% macro _stale_lease_sql() %}
    {%- do return('expires_at < ' ~ backfill_safety._now().sql ~ ' or ' ~ backfill_safety._engine('_holder_is_gone_sql')()) -%}
{% endmacro %}


{#- Statements after which no other session takes or renews a lease until this transaction ends; none where a key of the table sees
    to it, or where one process holds the database. -#}
{% macro default___lease_alone_sql(relation) %}
    {%- do return([]) -%}
{% endmacro %}


{#- Statements that a commit begins with, in front of the renewal of its lease. -#}
{% macro default___before_commit_sql(relation) %}
    {%- do return([]) -%}
{% endmacro %}


{#- Statements by which a session shows others that it lives, for as long as it does. -#}
{% macro default___show_alive_sql(holder) %}
    {%- do return([]) -%}
{% endmacro %}


{#- Whether the session of a lease's `holder` is known to be dead; where nothing is known, only the lease's end counts. -#}
{% macro default___holder_is_gone_sql() %}
    {%- do return('1 = 0') -%}
{% endmacro %}


{#- What an insert of a lease does when another session has just inserted it. -#}
{% macro default___on_taken_lease() %}
    {%- do return('') -%}
{% endmacro %}


{#- Whether somebody writes to a target under a lease now. -#}
{% macro _lease_is_alive(relation) %}
    {%- do return(backfill_safety._fetch(
        'select count(*) from ' ~ backfill_safety._ledger(relation, 'leases') ~ ' where relation = '
        ~ backfill_safety._quoted(relation) ~ ' and not (' ~ backfill_safety._stale_lease_sql() ~ ')'
    )[0][0] > 0) -%}
{% endmacro %}


{% macro _lease_end_sql() %}
    {%- do return(dbt.dateadd('minute', 15, backfill_safety._now().sql)) -%}
{% endmacro %}


{% macro _lease_holder(relation) %}
    {%- set rows = backfill_safety._fetch(
        'select holder, cast(expires_at as ' ~ dbt.type_string() ~ ') from ' ~ backfill_safety._ledger(relation, 'leases')
        ~ ' where relation = ' ~ backfill_safety._quoted(relation)
    ) -%}
    {%- do return(rows[0] if rows else none) -%}
{% endmacro %}


{#- A condition on an update of the ledger: whoever has lost his lease says nothing more of a run. Another session may have taken it up
    by its run_id, and a unit that it has done would be done once more, its new rows beside the old ones in the backup. -#}
{% macro _while_leased_sql(relation, holder) %}
    {%- if backfill_safety._holds_database_alone() or not backfill_safety._has_transactions() -%} {%- do return('') -%} {%- endif -%}
    {%- do return(
        ' and exists (select 1 from ' ~ backfill_safety._ledger(relation, 'leases') ~ ' where relation = '
        ~ backfill_safety._quoted(relation) ~ ' and holder = ' ~ backfill_safety._quoted(holder) ~ ')'
    ) -%}
{% endmacro %}


{% macro _renew_lease_sql(relation, holder) %}
    {%- if not backfill_safety._has_transactions() -%}
        {%- do return(backfill_safety._appended_sql(relation, 'leases', {'expires_at': {'sql': backfill_safety._lease_end_sql()}},
            backfill_safety._lease_of_sql(relation, holder))) -%}
    {%- endif -%}
    {%- do return(
        'update ' ~ backfill_safety._ledger(relation, 'leases') ~ ' set expires_at = ' ~ backfill_safety._lease_end_sql()
        ~ ' where relation = ' ~ backfill_safety._quoted(relation) ~ ' and holder = ' ~ backfill_safety._quoted(holder)
    ) -%}
{% endmacro %}


{% macro _release_lease_sql(relation, holder) %}
    {%- if not backfill_safety._has_transactions() -%}
        {%- do return(backfill_safety._appended_sql(relation, 'leases', {'holder': none},
            backfill_safety._lease_of_sql(relation, holder))) -%}
    {%- endif -%}
    {%- do return(
        'delete from ' ~ backfill_safety._ledger(relation, 'leases') ~ ' where relation = ' ~ backfill_safety._quoted(relation)
        ~ ' and holder = ' ~ backfill_safety._quoted(holder)
    ) -%}
{% endmacro %}
