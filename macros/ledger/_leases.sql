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


{#- Begins a transaction and takes the lease in it. Who has not got it ends here, with a line that begins with `who` has it. Another run of
    the table that still counts as running has ended without a word, since nobody has its lease. Returns how the run of `run_id` stands in
    the ledger by now; none where there is none, or nobody else could have changed it. -#}
{% macro _take_lease(relation, holder, who, advice, run_id='') %}
    {%- set begin = [backfill_safety._engine('_begin_sql')()] -%}
    {%- set steps = backfill_safety._take_lease_sql(relation, holder) + [{'rows': backfill_safety._lease_holder_sql(relation)}] -%}
    {%- set shared = backfill_safety._has_transactions() and not backfill_safety._holds_database_alone() -%}
    {%- if shared -%} {%- do steps.extend(backfill_safety._close_others_steps(relation, holder, run_id)) -%} {%- endif -%}
    {%- set asked = backfill_safety._try(steps, begin) -%}
    {%- if asked.trouble or asked.answers[0][0][0] != holder -%}
        {%- do backfill_safety._end_without_lease(relation, who, advice, asked) -%}
    {%- endif -%}
    {%- do return(asked.answers[1][0][0] if shared and asked.answers[1] else none) -%}
{% endmacro %}


{% macro _end_without_lease(relation, who, advice, asked) %}
    {%- do backfill_safety._run(['rollback']) -%}
    {%- if asked.trouble -%}
        {%- do backfill_safety._refuse('the lease of ' ~ relation ~ ' was not had (' ~ asked.trouble ~ '): '
            ~ ('its holder has been in one commit for longer than that; ask again when it has ended' if asked.locked
                else 'nothing was written')) -%}
    {%- endif -%}
    {%- do backfill_safety._refuse(who ~ ' of ' ~ relation ~ ' is running (lease until ' ~ asked.answers[0][0][1] ~ ' UTC); ' ~ advice) -%}
{% endmacro %}


{#- Runs that nobody has a lease for are incomplete; then how this one stands. -#}
{% macro _close_others_steps(relation, holder, run_id) %}
    {%- set runs = backfill_safety._ledger(relation, 'runs') -%}
    {%- do return([
        'update ' ~ runs ~ " set state = 'incomplete' where relation = " ~ backfill_safety._quoted(relation)
        ~ " and state = 'running' and run_id <> " ~ backfill_safety._quoted(run_id)
        ~ backfill_safety._while_leased_sql(relation, holder),
        {'rows': 'select state from ' ~ runs ~ ' where run_id = ' ~ backfill_safety._quoted(run_id)},
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
    {%- set rows = backfill_safety._fetch(backfill_safety._lease_holder_sql(relation)) -%}
    {%- do return(rows[0] if rows else none) -%}
{% endmacro %}


{% macro _lease_holder_sql(relation) %}
    {%- do return(
        'select holder, cast(expires_at as ' ~ dbt.type_string() ~ ') as expires_at from ' ~ backfill_safety._ledger(relation, 'leases')
        ~ ' where relation = ' ~ backfill_safety._quoted(relation)
    ) -%}
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
