{#- Adds the columns that only the model has, when a run begins and its lease is taken, in the transaction that took it. Returns
    what is still to be sent with the statements that make the run: everything, where altering a table makes nobody wait for long. -#}
{% macro default___add_columns(plan) %}
    {%- set statements = [] -%}
    {%- for column in plan.added -%}
        {%- do statements.append(backfill_safety._engine('_add_column_sql')(plan.request.relation, column)) -%}
    {%- endfor -%}
    {%- do return(statements) -%}
{% endmacro %}


{% macro default___add_column_sql(relation, column) %}
    {%- do return('alter table ' ~ relation ~ ' add column ' ~ backfill_safety._quote(column.name) ~ ' ' ~ column.data_type) -%}
{% endmacro %}


{#- Altering waits for whoever reads the table, and each reader that comes meanwhile waits behind it. So it has a transaction of its
    own, is given up after a second, and tried again after a rest; a column that is there when a run is killed here does no harm. -#}
{% macro postgres___add_columns(plan) %}
    {%- set relation = plan.request.relation -%}
    {%- set names = plan.added | map(attribute='name') | join(', ') -%}
    {%- do backfill_safety._run(['commit']) -%}
    {%- set at = namespace(tried={'locked': true}, holders='') -%}
    {%- for _ in range(10) if at.tried.locked -%}
        {%- set at.tried = backfill_safety._try(backfill_safety._steps_to_add(plan), ['begin']) -%}
        {%- if at.tried.locked -%}
            {%- do backfill_safety._run(['rollback']) -%}
            {%- set at.holders = backfill_safety._lock_holders(relation) -%}
            {%- if loop.first -%} {%- do print('waits     to add ' ~ names ~ ' to ' ~ relation ~ at.holders) -%} {%- endif -%}
            {%- if not loop.last -%} {%- do backfill_safety._rest(2) -%} {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if at.tried.trouble -%}
        {%- do backfill_safety._run(['rollback', 'begin', backfill_safety._release_lease_sql(relation, plan.holder), 'commit']) -%}
        {%- do backfill_safety._refuse(names ~ ' could not be added to ' ~ relation ~ '; nothing was written: '
            ~ ('ten times its lock was not had' ~ at.holders ~ '. Ask again when that has ended' if at.tried.locked
                else at.tried.trouble)) -%}
    {%- endif -%}
    {%- set renewed = backfill_safety._renew_lease_sql(relation, plan.holder) -%}
    {%- do backfill_safety._run(['commit', 'begin', backfill_safety._bounded_wait_sql(), renewed]) -%}
    {%- do return([]) -%}
{% endmacro %}


{#- One statement for all of them; the live run may have added them meanwhile. A shorter lock_timeout of the role's or the database's own
    holds. -#}
{% macro _steps_to_add(plan) %}
    {%- set added = [] -%}
    {%- for column in plan.added -%}
        {%- do added.append('add column if not exists ' ~ backfill_safety._quote(column.name) ~ ' ' ~ column.data_type) -%}
    {%- endfor -%}
    {%- do return([
        "select set_config('lock_timeout', least(nullif(setting::bigint, 0), 1000)::text, true) from pg_settings "
        ~ "where name = 'lock_timeout'",
        'alter table ' ~ plan.request.relation ~ ' ' ~ added | join(', '),
    ]) -%}
{% endmacro %}


{#- Who has locked a table or a part of it, as words to put behind others; an age or a query is there where this role may see it.
    https://www.postgresql.org/docs/15/view-pg-locks.html -#}
{% macro _lock_holders(relation) %}
    {%- set target = backfill_safety._quoted(relation) ~ '::regclass' -%}
    {%- set holders = [] -%}
    {%- for pid, role, age, query in backfill_safety._fetch(
        'select distinct a.pid, a.usename::text, extract(epoch from clock_timestamp() - a.xact_start)::bigint, left(a.query, 60) '
        ~ 'from pg_locks as l join pg_stat_activity as a on a.pid = l.pid where l.granted and l.pid <> pg_backend_pid() '
        ~ 'and (l.relation = ' ~ target ~ ' or l.relation in (select relid from pg_partition_tree(' ~ target ~ '))) order by 1 limit 3'
    ) -%}
        {%- do holders.append('session ' ~ pid ~ ' of ' ~ role ~ (' for ' ~ age ~ ' s' if age is not none else '')
            ~ (': ' ~ query.split() | join(' ') if query else '')) -%}
    {%- endfor -%}
    {%- do return(' (held by ' ~ holders | join('; ') ~ ')' if holders else ' (pg_locks says who has it)') -%}
{% endmacro %}
