{#- One row a unit, all of them planned before the first commit, with bounds as absolute values. -#}
{% macro _insert_units_sql(plan) %}
    {%- do return(backfill_safety._unit_inserts(plan, backfill_safety._positions(plan))) -%}
{% endmacro %}


{#- In statements of 1,000 rows: the cost grows linearly and no statement grows without end. The texts of bounds are made
    here, of digits and separators; only values are the user's and quoted one by one. -#}
{% macro _unit_inserts(plan, positions) %}
    {%- set table = backfill_safety._ledger_store(plan.request.relation, 'units') -%}
    {%- set given = ['run_id', 'unit_no', 'name', 'lower_bound', 'upper_bound', 'state', 'attempt'] -%}
    {%- set left_out = backfill_safety._engine('_left_out')('units', given) -%}
    {%- set head = 'insert into ' ~ table ~ ' (' ~ (given + left_out) | join(', ') ~ ') values ' -%}
    {%- set tail = ", 'planned', 0" ~ ', null' * left_out | length ~ ')' -%}
    {%- set id = backfill_safety._quoted(plan.run_id) -%}
    {%- set bounds = plan.bounds -%}
    {%- set is_list = plan.request.grain == 'value' -%}
    {%- set length = plan.request.name_length -%}
    {%- set statements = [] -%}
    {%- for chunk in positions | batch(1000) -%}
        {%- set rows = [] -%}
        {%- for position in chunk -%}
            {%- set lower = bounds[position] -%}
            {%- set name = lower[:length] if length else backfill_safety._unit_name(lower, plan.request) -%}
            {%- set texts = backfill_safety._quoted(name) ~ ', ' ~ backfill_safety._quoted(lower) ~ ', ' ~ backfill_safety._quoted(lower)
                if is_list else "'" ~ name ~ "', '" ~ lower ~ "', '" ~ bounds[position + 1] ~ "'" -%}
            {%- do rows.append('(' ~ id ~ ', ' ~ position ~ ', ' ~ texts ~ tail) -%}
        {%- endfor -%}
        {%- do statements.append(head ~ rows | join(', ')) -%}
    {%- endfor -%}
    {%- do return(statements) -%}
{% endmacro %}


{#- The units of a run as the ledger has them, in order. -#}
{% macro _load_units(relation, run_id, condition='1 = 1') %}
    {%- set columns = ['unit_no', 'name', 'lower_bound', 'upper_bound', 'state', 'attempt', 'rows_before', 'rows_inserted',
        'checksum_before', 'checksum_after', 'message'] -%}
    {%- set rows = backfill_safety._fetch(
        'select ' ~ columns | join(', ') ~ ' from ' ~ backfill_safety._ledger(relation, 'units')
        ~ ' where run_id = ' ~ backfill_safety._quoted(run_id) ~ ' and ' ~ condition ~ ' order by unit_no'
    ) -%}
    {%- set units = [] -%}
    {%- for row in rows -%} {%- do units.append(dict(zip(columns, row))) -%} {%- endfor -%}
    {%- do return(units) -%}
{% endmacro %}


{#- The update that belongs into the commit itself: what was replaced by what. One statement whatever the number of units. -#}
{% macro _units_done_sql(plan, facts, seconds=0) %}
    {%- set rows = [] -%}
    {%- for unit in facts -%}
        {%- set nothing = 'cast(null as ' ~ plan.text_type ~ ')' -%}
        {%- set old = nothing if unit.checksum_before is none else "'" ~ unit.checksum_before ~ "'" -%}
        {%- set new = nothing if unit.checksum_after is none else "'" ~ unit.checksum_after ~ "'" -%}
        {%- set state = "'unchanged'" if backfill_safety._is_unchanged(unit) else "'done'" -%}
        {%- do rows.append((unit.position, unit.rows_before, unit.rows_after, old, new, state)) -%}
    {%- endfor -%}
    {%- if rows | length == 1 -%}
        {%- set n, before, after, old, new, state = rows[0] -%}
        {%- set source = '' -%}
    {%- else -%}
        {%- set selects = [] -%}
        {%- for row in rows -%}
            {%- do selects.append('select %s as n, %s as b, %s as a, %s as o, %s as c, %s as s' % row) -%}
        {%- endfor -%}
        {%- set n, before, after, old, new, state = 'v.n', 'v.b', 'v.a', 'v.o', 'v.c', 'v.s' -%}
        {%- set source = ' from (' ~ selects | join(' union all ') ~ ') as v' -%}
    {%- endif -%}
    {%- do return(
        plan.done_sql.head | replace(plan.done_sql.seconds, -1 * seconds | round | int) ~ ', state = ' ~ state ~ ', rows_before = '
        ~ before ~ ', rows_deleted = ' ~ before ~ ', rows_inserted = ' ~ after ~ ', checksum_before = ' ~ old ~ ', checksum_after = '
        ~ new ~ source ~ plan.done_sql.where ~ n
    ) -%}
{% endmacro %}


{#- A unit that holds what it held is done, and the ledger says that nothing came of it. -#}
{% macro _is_unchanged(unit) %}
    {%- do return(unit.rows_before == unit.rows_after and unit.checksum_before == unit.checksum_after) -%}
{% endmacro %}


{#- That update around its numbers: the same for every commit, so made once, with a mark where the seconds go since it began. Where one
    process holds the database, its clock stands still within a transaction: there it tells when the commit began. -#}
{% macro _unit_done_frame(plan) %}
    {%- set now = backfill_safety._now().sql -%}
    {%- set mark = '__backfill_safety_seconds__' -%}
    {%- set began = now if backfill_safety._holds_database_alone() else dbt.dateadd('second', mark, now) | trim -%}
    {%- do return({
        'head': 'update ' ~ backfill_safety._ledger(plan.request.relation, 'units') ~ ' set attempt = attempt + 1, worker = '
        ~ backfill_safety._quoted(plan.holder) ~ ', message = null, started_at = ' ~ began ~ ', finished_at = ' ~ now,
        'seconds': mark,
        'where': ' where run_id = ' ~ backfill_safety._quoted(plan.run_id) ~ ' and unit_no = ',
    }) -%}
{% endmacro %}


{#- What the ledger says of a unit that may not stand. One that had to wait for others has not been tried. -#}
{% macro _refused_unit(verdict, seconds) %}
    {%- set said = {'state': verdict.state, 'message': verdict.message} -%}
    {%- if verdict.state in ['failed', 'deferred'] -%}
        {%- set now = backfill_safety._now() -%}
        {%- do said.update({'attempt': {'sql': 'attempt + 1'}, 'finished_at': now,
            'started_at': {'sql': dbt.dateadd('second', -1 * seconds | round | int, now.sql)}}) -%}
    {%- endif -%}
    {%- do return(said) -%}
{% endmacro %}


{#- `also` is a further condition, such as that the lease is still there. -#}
{% macro _set_unit_sql(relation, run_id, position, values, also='') %}
    {%- if not backfill_safety._has_transactions() -%}
        {%- do return(backfill_safety._appended_sql(relation, 'units', values,
            'run_id = ' ~ backfill_safety._quoted(run_id) ~ ' and unit_no = ' ~ position)) -%}
    {%- endif -%}
    {%- set parts = [] -%}
    {%- for name, value in values.items() -%} {%- do parts.append(name ~ ' = ' ~ backfill_safety._ledger_value(value)) -%} {%- endfor -%}
    {%- do return(
        'update ' ~ backfill_safety._ledger(relation, 'units') ~ ' set ' ~ parts | join(', ')
        ~ ' where run_id = ' ~ backfill_safety._quoted(run_id) ~ ' and unit_no = ' ~ position ~ also
    ) -%}
{% endmacro %}


{#- Units that a commit begins with: whoever finds them so later knows which commit did not end. -#}
{% macro _claim_sql(plan, marks) %}
    {%- do return(
        'update ' ~ backfill_safety._ledger(plan.request.relation, 'units') ~ " set state = 'running' where run_id = "
        ~ backfill_safety._quoted(plan.run_id)
        ~ ' and unit_no between ' ~ marks.first ~ ' and ' ~ marks.last
        ~ " and state in ('planned', 'running', 'failed', 'deferred')"
    ) -%}
{% endmacro %}
