{#- What hangs on a target so that replacing its rows touches more than its rows: BF606, since no backup keeps that.
    Facts are (what, name, where, how), read when the plan is made. -#}
{% macro _attached(relation) %}
    {%- set sql = backfill_safety._engine('_attached_sql')(relation) -%}
    {%- do return([] if sql is none else backfill_safety._fetch(sql)) -%}
{% endmacro %}


{#- The query that gives them; none where an engine knows no such thing, or has not been looked at. -#}
{% macro default___attached_sql(relation) %}
    {%- do return(none) -%}
{% endmacro %}


{#- Of the table and of its partitions, each of which may have its own; of a partitioned table only what was declared there, and not the
    copies of its partitions. A key of the table to itself that deletes or changes nothing is left out: what it refuses is told by the unit.
    https://www.postgresql.org/docs/15/catalog-pg-constraint.html: confdeltype; catalog-pg-rewrite.html: is_instead;
    https://www.postgresql.org/docs/15/functions-info.html: row_security_active -#}
{% macro postgres___attached_sql(relation) %}
    {%- set target = backfill_safety._quoted(relation) ~ '::regclass' -%}
    {%- do return(
        'with tree as (select ' ~ target ~ '::oid as id union select relid::oid from pg_partition_tree(' ~ target ~ ')) '
        ~ "select 'key' as what, conname::text as name, conrelid::regclass::text as place, confdeltype::text as how "
        ~ "from pg_constraint where contype = 'f' and conparentid = 0 and confrelid in (select id from tree) "
        ~ "and (confdeltype in ('c', 'n', 'd') or conrelid not in (select id from tree))"
        ~ " union all select 'trigger', tgname::text, case when tgrelid <> " ~ target ~ " then tgrelid::regclass::text end, '' "
        ~ "from pg_trigger where not tgisinternal and tgenabled <> 'D' and tgparentid = 0 and tgrelid in (select id from tree)"
        ~ " union all select 'rule', rulename::text, '', case when is_instead then 'instead' end from pg_rewrite "
        ~ "where ev_enabled <> 'D' and ev_type in ('3', '4') and ev_class = " ~ target
        ~ " union all select distinct 'deferred', '', '', '' from pg_trigger where tginitdeferred and tgrelid in (select id from tree)"
        ~ " union all select 'unlogged', '', oid::regclass::text, '' from pg_class "
        ~ "where relpersistence = 'u' and oid in (select id from tree)"
        ~ " union all select 'schema', nspname::text, current_user::text, '' from pg_namespace where nspname = "
        ~ backfill_safety._quoted(backfill_safety._ledger_relation(relation, 'runs').schema)
        ~ " and not has_schema_privilege(oid, 'create')"
        ~ " union all select 'child', '', i.inhrelid::regclass::text, '' from pg_inherits as i join pg_class as c on c.oid = i.inhparent "
        ~ "where c.relkind = 'r' and c.oid = " ~ target
        ~ " union all select 'hidden', attname::text, current_user::text, case when has_column_privilege(attrelid, attnum, 'select') "
        ~ "then 'write' else 'read' end from pg_attribute where attnum > 0 and not attisdropped and attrelid = " ~ target
        ~ " and has_any_column_privilege(attrelid, 'insert') and not (has_column_privilege(attrelid, attnum, 'select') "
        ~ "and (attgenerated <> '' or has_column_privilege(attrelid, attnum, 'insert')))"
        ~ " union all select 'policy', current_user::text, '', '' where row_security_active(" ~ target ~ '::oid)'
        ~ " union all select 'owner', pg_get_userbyid(relowner)::text, current_user::text, '' from pg_class where oid = " ~ target
        ~ " and not pg_has_role(relowner, 'usage') and not row_security_active(oid) order by 1, 2, 3"
    ) -%}
{% endmacro %}


{% macro _attached_findings(plan) %}
    {%- set relation = plan.request.relation -%}
    {%- set findings = [] -%}
    {%- for what, name, place, how in plan.attached -%}
        {%- if what == 'key' -%}
            {%- set effect = {'c': 'deletes those', 'n': 'sets them to NULL', 'd': 'sets them to their default'}.get(how) -%}
            {%- do findings.append(backfill_safety._finding(
                'BF606', 'block', 'rows of ' ~ place ~ ' refer to ' ~ relation.identifier ~ ' (' ~ name ~ '): deleting a row '
                    ~ (effect ~ ', and no backup keeps them' if effect else 'that is referred to is refused'),
                'drop that foreign key for the run, and add it again afterwards'
            )) -%}
        {%- elif what == 'trigger' -%}
            {%- do findings.append(backfill_safety._finding(
                'BF606', 'warn', 'trigger ' ~ name ~ ' of ' ~ (place or relation.identifier)
                    ~ ' may act on every row that is deleted or inserted, and no undo takes that back',
                'see what it does, or disable it for the run'
            )) -%}
        {%- elif what == 'rule' -%}
            {%- do findings.append(backfill_safety._finding(
                'BF606', 'block' if how else 'warn', 'rule ' ~ name ~ ' of ' ~ relation.identifier
                    ~ (' does something else instead of what a commit asks for' if how
                        else ' does more than delete or insert, and no undo takes that back'),
                'drop that rule for the run, and create it again afterwards' if how else 'see what it does, or disable it for the run'
            )) -%}
        {%- elif what == 'unlogged' -%}
            {%- do findings.append(backfill_safety._finding(
                'BF606', 'warn', place ~ ' is unlogged: a crash of the server empties it, units that are done among it, while ledger and '
                    ~ 'backup stay',
                'after a crash build it anew (dbt run --full-refresh) instead of going on with the run'
            )) -%}
        {%- elif what == 'schema' -%}
            {%- if plan.resumed is none or plan.read == 'once' -%}
                {%- do findings.append(backfill_safety._finding(
                    'BF606', 'block', place ~ ' may not create tables in schema ' ~ name ~ ', where ledger and backup go',
                    'grant create on schema ' ~ name ~ ' to ' ~ place ~ ', or name another one: vars: {backfill_safety: {schema: …}}'
                )) -%}
            {%- endif -%}
        {%- elif what == 'materialized view' -%}
            {%- do findings.append(backfill_safety._finding(
                'BF607', 'warn', name ~ ' is filled by what is inserted into ' ~ relation.identifier
                    ~ ': it sees neither the replaced rows nor an undo',
                'rebuild it over the same window afterwards'
            )) -%}
        {%- elif what == 'child' -%}
            {%- do findings.append(backfill_safety._finding(
                'BF606', 'block', place ~ ' inherits from ' ~ relation.identifier ~ ': its rows would be deleted and come back as rows of '
                    ~ relation.identifier ~ ' itself, without the columns that ' ~ place ~ ' has of its own',
                'end the inheritance for the run (alter table ' ~ place ~ ' no inherit …), or declare partitions'
            )) -%}
        {%- elif what == 'hidden' -%}
            {%- do findings.append(backfill_safety._finding(
                'BF606', 'block', place ~ ' may not ' ~ how ~ ' column ' ~ name ~ ' of ' ~ relation.identifier
                    ~ ': what rows hold there would be lost with them, and no undo could give it back',
                'grant select and insert on the whole table to ' ~ place ~ ', or run as its owner'
            )) -%}
        {%- elif what == 'owner' -%}
            {%- do findings.append(backfill_safety._finding(
                'BF606', 'warn', relation.identifier ~ ' belongs to ' ~ name ~ ' and this role is ' ~ place
                    ~ ': rows and backup are what it sees, and the backup is its own',
                'run as the owner of the table, or undo and clean up as this role'
            )) -%}
        {%- elif what == 'policy' -%}
            {#- what it may not see is not deleted, and may well be inserted -#}
            {%- do findings.append(backfill_safety._finding(
                'BF606', 'block', 'a row policy of ' ~ relation.identifier ~ ' holds for ' ~ name
                    ~ ': rows that this role does not see are neither replaced nor kept, and would stand twice',
                'run as a role that sees all rows: the owner of the table, or one with bypassrls'
            )) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(findings) -%}
{% endmacro %}
