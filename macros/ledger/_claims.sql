{#- What several workers ask of the ledger: the run is theirs as long as one of them lives, and a unit is whose transaction
    holds its row. Both end with a session or a transaction, however that ends. -#}

{#- The locks of a run's workers, as SQL; `alone` holds where no other session of them is there. -#}
{% macro _worker_locks(holder) %}
    {%- do return(backfill_safety._engine('_worker_locks')(holder)) -%}
{% endmacro %}


{% macro default___worker_locks(holder) %}
    {%- do return(none) -%}
{% endmacro %}


{#- One worker at a time passes the gate, to join and to leave. A session does not stand in its own way, so `alone` can be asked
    by one that is counted itself. https://www.postgresql.org/docs/15/functions-admin.html#FUNCTIONS-ADVISORY-LOCKS -#}
{% macro postgres___worker_locks(holder) %}
    {%- set gate = "hashtextextended('backfill_safety gate ' || " ~ backfill_safety._quoted(holder) ~ ', 0)' -%}
    {%- set alive = backfill_safety._holder_key_sql(backfill_safety._quoted(holder)) -%}
    {%- do return({
        'enter': 'select pg_try_advisory_lock(' ~ gate ~ ')',
        'pass': 'select pg_advisory_unlock(' ~ gate ~ ')',
        'alone': 'select pg_try_advisory_xact_lock(' ~ alive ~ ')',
        'leave': 'select pg_advisory_unlock_shared(' ~ alive ~ ')',
    }) -%}
{% endmacro %}


{#- How the workers of a run hold their lease in a commit: several at once, and none of them after it was taken. A renewal goes
    past such a lock, a deletion waits. https://www.postgresql.org/docs/15/explicit-locking.html#LOCKING-ROWS -#}
{% macro _hold_lease_sql(relation, holder) %}
    {%- do return(
        'select 1 from ' ~ backfill_safety._ledger(relation, 'leases') ~ ' where relation = ' ~ backfill_safety._quoted(relation)
        ~ ' and holder = ' ~ backfill_safety._quoted(holder) ~ ' for key share'
    ) -%}
{% endmacro %}


{#- One row: whether the turn is ours, how the run stands with all its workers, and the units that are now claimed: the next
    that nobody works at, locked until this transaction ends. -#}
{% macro _claim_units_sql(plan, size, put_off) %}
    {%- set relation = plan.request.relation -%}
    {%- set units = backfill_safety._ledger(relation, 'units') -%}
    {%- set mine = ' where run_id = ' ~ backfill_safety._quoted(plan.run_id) -%}
    {%- set others = ' and unit_no not in (' ~ put_off | join(', ') ~ ')' if put_off else '' -%}
    {%- set direction = ' desc' if plan.request.order == 'descending' else '' -%}
    {%- do return(
        'select ' ~ backfill_safety._engine('_try_shared_turn_sql')(relation)
        ~ ' as turn, r.state, r.cancel_requested, u.done, u.open, u.rows, extract(epoch from ' ~ backfill_safety._now().sql
        ~ ' - l.taken_at)::float8 as seconds, '
        ~ 'array(select unit_no from (select unit_no from ' ~ units ~ mine ~ " and state = 'planned'" ~ others ~ ' order by unit_no'
        ~ direction ~ ' limit ' ~ size ~ ' for update skip locked) as claimed) as claimed from '
        ~ backfill_safety._ledger(relation, 'runs') ~ ' as r left join ' ~ backfill_safety._ledger(relation, 'leases')
        ~ ' as l on l.relation = ' ~ backfill_safety._quoted(relation) ~ ' and l.holder = ' ~ backfill_safety._quoted(plan.holder)
        ~ " cross join lateral (select count(*) filter (where state in ('done', 'unchanged')) as done, "
        ~ "count(*) filter (where state = 'planned') as open, coalesce(sum(rows_inserted) filter (where state in ('done', 'unchanged') "
        ~ 'and finished_at >= l.taken_at), 0)::bigint as rows from ' ~ units ~ mine ~ ') as u where r.run_id = '
        ~ backfill_safety._quoted(plan.run_id)
    ) -%}
{% endmacro %}


{#- A writer's turn that other workers may have at the same time, but no live run and no other backfill. -#}
{% macro default___try_shared_turn_sql(relation) %}
    {%- do return(none) -%}
{% endmacro %}


{% macro postgres___try_shared_turn_sql(relation) %}
    {%- do return('pg_try_advisory_xact_lock_shared(' ~ backfill_safety._turn_key_sql(relation) ~ ')') -%}
{% endmacro %}


{#- Unfinished units of a run that is opened again are asked for once more. Where rows were read once, the checksum of what the
    target held before goes with each unit, so that every worker notices what was written since. -#}
{% macro _reopen_units_sql(plan) %}
    {%- set table = backfill_safety._ledger(plan.request.relation, 'units') -%}
    {%- set mine = ' where run_id = ' ~ backfill_safety._quoted(plan.run_id) ~ " and state not in ('done', 'unchanged')" -%}
    {%- set statements = ['update ' ~ table ~ " set state = 'planned', checksum_before = null" ~ mine] -%}
    {%- set rows = [] -%}
    {%- for position, checksum in (plan.get('seen') or {}).items() if checksum is not none -%}
        {%- do rows.append('(' ~ position ~ ', ' ~ backfill_safety._quoted(checksum) ~ ')') -%}
    {%- endfor -%}
    {%- if rows -%}
        {%- do statements.append('update ' ~ table ~ ' set checksum_before = v.c from (values ' ~ rows | join(', ') ~ ') as v (n, c)'
            ~ mine ~ ' and unit_no = v.n') -%}
    {%- endif -%}
    {%- do return(statements) -%}
{% endmacro %}


{#- {position: checksum} as whoever read the rows has left them in the ledger. -#}
{% macro _seen_checksums(plan) %}
    {%- set seen = {} -%}
    {%- for unit in backfill_safety._load_units(plan.request.relation, plan.run_id, "state = 'planned'") -%}
        {%- do seen.update({unit.unit_no: unit.checksum_before}) -%}
    {%- endfor -%}
    {%- do return(seen) -%}
{% endmacro %}


{#- What all workers of a run have done since it was opened: [units, rows before, rows now]. -#}
{% macro _done_by_all(plan) %}
    {%- set relation = plan.request.relation -%}
    {%- set since = ', 0)) filter (where finished_at >= taken_at), 0)::bigint' -%}
    {%- do return(backfill_safety._fetch(
        "select count(*), coalesce(sum(coalesce(rows_before" ~ since ~ ', coalesce(sum(coalesce(rows_inserted' ~ since ~ ' from '
        ~ backfill_safety._ledger(relation, 'units') ~ ' left join ' ~ backfill_safety._ledger(relation, 'leases') ~ ' on relation = '
        ~ backfill_safety._quoted(relation) ~ ' where run_id = ' ~ backfill_safety._quoted(plan.run_id)
        ~ " and state in ('done', 'unchanged')"
    )[0]) -%}
{% endmacro %}
