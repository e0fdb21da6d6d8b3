{#- The work of one commit, sent: {rows, trouble, read}. `rows` are its facts, `read` what Postgres says that the first commit has read;
    `trouble` is a verdict where the work could not be done and has been taken back. -#}
{% macro default___attempt(plan, before, group) %}
    {%- do return({'rows': backfill_safety._run(before + backfill_safety._commit_statements(plan, group[0], group[-1])),
        'trouble': none, 'read': none}) -%}
{% endmacro %}


{#- Jinja cannot catch an error and Postgres can: the work is done in a block whose handler takes back what it did and says why, in
    settings that end with the transaction. So a lock that is not had is given up, and tried for again in another transaction.
    https://www.postgresql.org/docs/15/plpgsql-control-structures.html#PLPGSQL-ERROR-TRAPPING -#}
{% macro postgres___attempt(plan, before, group) %}
    {%- set statements = backfill_safety._commit_statements(plan, group[0], group[-1]) -%}
    {%- set steps = [] -%}
    {%- for sql in statements[:-1] -%} {%- do steps.append(backfill_safety._postgres_step(plan, sql)) -%} {%- endfor -%}
    {%- set facts = 'select json_agg(json_build_array(fact, unit_no, n, keys, checksum, past))::text from (' ~ statements[-1]
        ~ ') as facts' -%}
    {%- set block = 'do $backfill_safety$ declare said text; begin ' ~ steps | join(' ') ~ ' execute $backfill_safety_sql$' ~ facts
        ~ "$backfill_safety_sql$ into said; perform set_config('backfill_safety.facts', said, true); "
        ~ "exception when lock_not_available or deadlock_detected then perform set_config('backfill_safety.locked', sqlerrm, true); "
        ~ "when others then perform set_config('backfill_safety.failed', sqlerrm, true); end $backfill_safety$" -%}
    {%- set names = ['facts', 'read', 'locked', 'failed'] -%}
    {%- set settings = [] -%}
    {%- for name in names -%} {%- do settings.append("nullif(current_setting('backfill_safety." ~ name ~ "', true), '')") -%} {%- endfor -%}
    {%- set said = dict(zip(names, backfill_safety._run(before + [block, 'select ' ~ settings | join(', ')])[0])) -%}
    {%- set trouble = none -%}
    {%- if said.locked -%}
        {%- set trouble = {'ok': false, 'state': 'locked', 'message': said.locked} -%}
    {%- elif said.failed -%}
        {%- set trouble = {'ok': false, 'state': 'failed', 'message': 'could not be replaced: ' ~ said.failed} -%}
    {%- endif -%}
    {%- do return({'rows': fromjson(said.facts) if said.facts else [], 'trouble': trouble,
        'read': backfill_safety._postgres_rows_read(fromjson(said.read)[0].Plan) if said.read else none}) -%}
{% endmacro %}


{#- A statement inside of the block. The first insert of a run is explained while it is done: that tells what it has read.
    https://www.postgresql.org/docs/15/sql-explain.html: ANALYZE carries the statement out -#}
{% macro _postgres_step(plan, sql) %}
    {%- set header = plan.rendered.header -%}
    {%- set insert = 'insert into ' ~ plan.request.relation ~ ' (' -%}
    {%- set quote = '$backfill_safety_sql$' -%}
    {%- if plan.get('compared') or plan.read == 'once' or plan.estimate is none or not sql.startswith(header ~ insert) -%}
        {%- do return('execute ' ~ quote ~ sql ~ quote ~ ';') -%}
    {%- endif -%}
    {%- set first = 'execute ' ~ quote ~ header ~ quote ~ '; ' if header | trim else '' -%}
    {%- do return(first ~ 'execute ' ~ quote ~ 'explain (analyze, timing off, format json) ' ~ sql[header | length:] ~ quote
        ~ " into said; perform set_config('backfill_safety.read', said, true);") -%}
{% endmacro %}


{#- Rows that the scans of an executed plan have looked at, those that a filter then dropped among them. -#}
{% macro _postgres_rows_read(node) %}
    {%- set read = namespace(rows=0) -%}
    {%- if node['Relation Name'] is defined and node['Node Type'] != 'ModifyTable' -%}
        {%- set each = node['Actual Rows'] + node.get('Rows Removed by Filter', 0) + node.get('Rows Removed by Index Recheck', 0) -%}
        {%- set read.rows = (each * node['Actual Loops']) | int -%}
    {%- endif -%}
    {%- for child in node.get('Plans', []) -%} {%- set read.rows = read.rows + backfill_safety._postgres_rows_read(child) -%} {%- endfor -%}
    {%- do return(read.rows) -%}
{% endmacro %}
