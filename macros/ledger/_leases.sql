{#- A lease on a target: two backfills never replace its units at once. Taken in one transaction; expires; renewed in each commit. -#}
{% macro _take_lease_sql(relation, holder) %}
    {%- set table = backfill_safety._ledger(relation, 'leases') -%}
    {%- set name = backfill_safety._quoted(relation) -%}
    {%- set stale = '' if backfill_safety._holds_database_alone() else ' and expires_at < ' ~ backfill_safety._now().sql -%}
    {%- do return([
        'delete from ' ~ table ~ ' where relation = ' ~ name ~ ' and (holder = ' ~ backfill_safety._quoted(holder) ~ ' or 1 = 1'
            ~ stale ~ ')',
        'insert into ' ~ table ~ ' (relation, holder, taken_at, expires_at) select ' ~ name ~ ', ' ~ backfill_safety._quoted(holder) ~ ', '
        ~ backfill_safety._now().sql ~ ', ' ~ backfill_safety._lease_end_sql()
        ~ ' where not exists (select 1 from ' ~ table ~ ' where relation = ' ~ name ~ ')',
    ]) -%}
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


{% macro _renew_lease_sql(relation, holder) %}
    {%- do return(
        'update ' ~ backfill_safety._ledger(relation, 'leases') ~ ' set expires_at = ' ~ backfill_safety._lease_end_sql()
        ~ ' where relation = ' ~ backfill_safety._quoted(relation) ~ ' and holder = ' ~ backfill_safety._quoted(holder)
    ) -%}
{% endmacro %}


{% macro _release_lease_sql(relation, holder) %}
    {%- do return(
        'delete from ' ~ backfill_safety._ledger(relation, 'leases') ~ ' where relation = ' ~ backfill_safety._quoted(relation)
        ~ ' and holder = ' ~ backfill_safety._quoted(holder)
    ) -%}
{% endmacro %}
