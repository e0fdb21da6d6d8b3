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


{#- https://www.postgresql.org/docs/15/catalog-pg-constraint.html: confdeltype; of a partitioned table only what was declared
    on it, and not the copies of its partitions. https://www.postgresql.org/docs/15/functions-info.html: row_security_active -#}
{% macro postgres___attached_sql(relation) %}
    {%- set target = backfill_safety._quoted(relation) ~ '::regclass' -%}
    {%- do return(
        "select 'key' as what, conname::text as name, conrelid::regclass::text as place, confdeltype::text as how "
        ~ "from pg_constraint where contype = 'f' and conparentid = 0 and conrelid <> confrelid and confrelid = " ~ target
        ~ " union all select 'trigger', tgname::text, '', '' from pg_trigger where not tgisinternal and tgenabled <> 'D' and tgrelid = "
        ~ target
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
                'BF606', 'warn', 'trigger ' ~ name ~ ' of ' ~ relation.identifier
                    ~ ' may act on every row that is deleted or inserted, and no undo takes that back',
                'see what it does, or disable it for the run'
            )) -%}
        {%- elif what == 'materialized view' -%}
            {%- do findings.append(backfill_safety._finding(
                'BF607', 'warn', name ~ ' is filled by what is inserted into ' ~ relation.identifier
                    ~ ': it sees neither the replaced rows nor an undo',
                'rebuild it over the same window afterwards'
            )) -%}
        {%- elif what == 'owner' -%}
            {%- do findings.append(backfill_safety._finding(
                'BF606', 'warn', relation.identifier ~ ' belongs to ' ~ name ~ ' and this role is ' ~ place
                    ~ ': rows and backup are what it sees, and the backup is its own',
                'run as the owner of the table, or undo and clean up as this role'
            )) -%}
        {%- else -%}
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
