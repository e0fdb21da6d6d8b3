{#- The work of one commit, sent after the end of the last one: {rows, trouble, read}. `rows` are its facts, `read` what the engine
    says that it has read, where it does; `trouble` is a verdict where the work could not be done and has been taken back. -#}
{% macro default___attempt(plan, tail, group) %}
    {%- set turn = backfill_safety._turn(plan, tail) -%}
    {%- if not turn.ok -%} {%- do return({'rows': [], 'trouble': backfill_safety._without_turn(), 'read': none}) -%} {%- endif -%}
    {%- set work = backfill_safety._commit_statements(plan, group[0], group[-1]) -%}
    {%- do return({'rows': backfill_safety._run(turn.statements + work), 'trouble': none, 'read': none}) -%}
{% endmacro %}


{% macro _without_turn() %}
    {%- do return({'ok': false, 'state': 'planned', 'message': 'was not written: the live run ' ~ backfill_safety._held_its_turn()}) -%}
{% endmacro %}


{#- Jinja cannot catch an error and Postgres can: the work is done in a block whose handler takes back what it did and says why, in
    settings that end with the transaction. So a lock that is not had is given up, and tried for again in another transaction. The
    turn is taken in the block as well, which saves a round trip; a worker has it already, from its claim.
    https://www.postgresql.org/docs/15/plpgsql-control-structures.html#PLPGSQL-ERROR-TRAPPING -#}
{% macro postgres___attempt(plan, tail, group) %}
    {%- set script = [backfill_safety._postgres_block(plan, group)] -%}
    {%- set begin = [backfill_safety.postgres___begin_sql()] -%}
    {%- set at = namespace(said=backfill_safety._run((tail if plan.request.worker else tail + begin) + script)[0]) -%}
    {%- if at.said[0] -%}
        {%- for _ in range(backfill_safety._turn_tries()) if at.said[0] -%}
            {%- do backfill_safety._run(['rollback']) -%}
            {%- do backfill_safety._rest(0.5) -%}
            {%- set at.said = backfill_safety._run(begin + script)[0] -%}
        {%- endfor -%}
    {%- endif -%}
    {%- set without_turn, facts, read, locked, failed = at.said -%}
    {%- set trouble = none -%}
    {%- if without_turn -%} {%- set trouble = backfill_safety._without_turn() -%}
    {%- elif locked -%} {%- set trouble = {'ok': false, 'state': 'locked', 'message': locked} -%}
    {%- elif failed -%} {%- set trouble = backfill_safety._could_not_replace(plan, failed) -%}
    {%- endif -%}
    {%- do return({'rows': fromjson(facts) if facts else [], 'trouble': trouble,
        'read': backfill_safety._postgres_rows_read(fromjson(read)[0].Plan) if read else none}) -%}
{% endmacro %}


{% macro _could_not_replace(plan, failed) %}
    {%- set changed = backfill_safety._changed_columns(plan.request.relation, backfill_safety._columns_with_added(plan)) -%}
    {%- do return({'ok': false, 'state': 'failed', 'message': 'could not be replaced: ' ~ (
        'the columns of the table have changed since the run was planned (' ~ changed.words ~ '); ask again without run_id'
        if changed.words and changed.gone | length < plan.request.columns | length else failed)}) -%}
{% endmacro %}


{#- What the block has to say. -#}
{% macro _postgres_said_sql() %}
    {%- set settings = [] -%}
    {%- for name in ['turn', 'facts', 'read', 'locked', 'failed'] -%}
        {%- do settings.append("nullif(current_setting('backfill_safety." ~ name ~ "', true), '')") -%}
    {%- endfor -%}
    {%- do return('select ' ~ settings | join(', ')) -%}
{% endmacro %}


{#- Quotes that no model's SQL and no argument can hold, since they are made of what no one knows before.
    https://www.postgresql.org/docs/15/sql-syntax-lexical.html#SQL-SYNTAX-DOLLAR-QUOTING -#}
{% macro _postgres_quote(name) %}
    {%- do return('$' ~ name ~ '_' ~ local_md5(invocation_id) ~ '$') -%}
{% endmacro %}


{#- The block for these units: turn → the statements of the commit → its facts as JSON; and what it has to say. Made once with marks in
    it, but for the first commit, which tells what it reads. -#}
{% macro _postgres_block(plan, group) %}
    {%- set aside = plan.get('units_in_select') and group | length > plan.units_in_select -%}
    {%- set kind = ('aside' if aside else 'joined' if group | length > 1 else 'single') ~ (' later' if plan.get('compared') else '') -%}
    {%- if kind not in plan.script -%}
        {%- do plan.script.update({kind: backfill_safety._make_postgres_block(plan, group, aside)}) -%}
    {%- endif -%}
    {%- do return(backfill_safety._filled([plan.script[kind]], plan, group[0], group[-1])[0]) -%}
{% endmacro %}


{% macro _make_postgres_block(plan, group, aside) %}
    {%- set statements = ([plan.script.claim] if group | length > 1 else []) + plan.script.statements -%}
    {%- set steps = [] -%}
    {%- if not plan.request.worker -%}
        {%- do steps.append(backfill_safety._bounded_wait_sql('10s') | replace('select ', 'perform ', 1)
            ~ '; if not pg_try_advisory_xact_lock(' ~ backfill_safety._turn_key_sql(plan.request.relation)
            ~ ") then perform set_config('backfill_safety.turn', 'none', true); return; end if;") -%}
    {%- endif -%}
    {%- for sql in statements[:-1] -%} {%- do steps.append(backfill_safety._postgres_step(plan, sql, aside)) -%} {%- endfor -%}
    {%- do steps.append(backfill_safety._same_columns_step(plan)) -%}
    {%- set block, sql = backfill_safety._postgres_quote('block'), backfill_safety._postgres_quote('sql') -%}
    {%- do return(
        'do ' ~ block ~ ' declare said text; n bigint; kept bigint; begin ' ~ steps | join(' ')
        ~ ' execute ' ~ sql ~ 'select json_agg(json_build_array(fact, unit_no, n, keys, checksum, past))::text from ('
        ~ statements[-1] ~ ') as facts' ~ sql ~ " into said; perform set_config('backfill_safety.facts', said, true); "
        ~ backfill_safety._tell_trouble_sql() ~ ' end ' ~ block ~ ';\n'
        ~ backfill_safety._postgres_said_sql()
    ) -%}
{% endmacro %}


{#- A column that came meanwhile may hold values, which the backup would not keep and the insert not give. From the first look at the table
    to the end of the transaction none can come. -#}
{% macro _same_columns_step(plan) %}
    {%- set target = backfill_safety._quoted(plan.request.relation) ~ '::regclass' -%}
    {%- do return('if (select count(*) from pg_attribute where attrelid = ' ~ target ~ ' and attnum > 0 and not attisdropped '
        ~ 'and has_column_privilege(attrelid, attnum, ' ~ "'select, insert, update, references')) <> "
        ~ backfill_safety._columns_with_added(plan) | length ~ " then raise exception 'its columns have changed'; end if;") -%}
{% endmacro %}


{#- A statement inside of the block. The first insert of a run is explained while it is done: that tells what it has read. For a later one
    several processes may compute the rows aside, which they may not for an insert.
    https://www.postgresql.org/docs/15/sql-explain.html: ANALYZE carries the statement out
    https://www.postgresql.org/docs/15/when-can-parallel-query-be-used.html -#}
{% macro _postgres_step(plan, sql, aside) %}
    {%- set relation, header = plan.request.relation, plan.rendered.header -%}
    {%- set quote = backfill_safety._postgres_quote('sql') -%}
    {%- set run = 'execute ' ~ quote ~ sql ~ quote ~ ';' -%}
    {%- if sql.startswith('delete from ' ~ relation ~ ' where ') -%}
        {%- do return(backfill_safety._delete_all_step(run, quote ~ 'select count(*) ' ~ sql[7:] ~ quote)) -%}
    {%- endif -%}
    {%- if plan.script.marks.rows not in sql or plan.estimate is none or (plan.get('compared') and not aside) -%}
        {%- do return(run ~ ' get diagnostics n = row_count;') -%}
    {%- endif -%}
    {%- set first = 'execute ' ~ quote ~ header ~ quote ~ '; ' if header | trim else '' -%}
    {%- if plan.get('compared') -%}
        {%- set into = 'insert into ' ~ relation ~ ' (' ~ backfill_safety._quoted_names(plan.columns) | join(', ') ~ ') ' -%}
        {%- set stage = 'backfill_safety_stage_' ~ plan.run_id -%}
        {%- do return(first ~ 'execute ' ~ quote ~ 'create temporary table ' ~ stage ~ ' on commit drop as '
            ~ sql[(header ~ into) | length:] ~ quote ~ '; execute ' ~ quote ~ into ~ 'select * from ' ~ stage ~ quote ~ ';') -%}
    {%- endif -%}
    {%- do return(first ~ 'execute ' ~ quote ~ 'explain (analyze, timing off, format json) ' ~ sql[header | length:] ~ quote
        ~ " into said; perform set_config('backfill_safety.read', said, true);") -%}
{% endmacro %}


{#- The delete, behind the copy of the old rows: as many as were kept must go. What a trigger keeps would stand beside the new rows, and
    what another has written in between would go unkept; then the unit is tried again. `left` counts what the delete was to take. -#}
{% macro _delete_all_step(run, left) %}
    {%- do return('kept := n; ' ~ run ~ ' get diagnostics n = row_count; if n <> kept then execute ' ~ left ~ ' into kept; '
        ~ "if kept > 0 then raise exception '% of its rows stay when they are deleted: a trigger of the table keeps them, "
        ~ "and new rows would stand beside them', kept; end if; raise exception 'it was written to while it was replaced' "
        ~ "using errcode = 'lock_not_available'; end if;") -%}
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
