{#- The ledger on engines that cannot update a row: each change is a further row of a log, numbered on, and a view, where there are
    views, shows the newest row of each run, unit and lease under the ledger's own names. An append is one statement: it is there or it
    is not. -#}
{% macro _appended_ledger_sql(relation) %}
    {%- set types = backfill_safety._engine('_ledger_types')() -%}
    {%- set statements = [] -%}
    {#- the runs come last: a ledger is there when they are -#}
    {%- for name in ['leases', 'units', 'runs'] -%}
        {%- set columns = [] -%}
        {%- for column, type in backfill_safety._ledger_columns(name).items() -%}
            {%- do columns.append(column ~ ' ' ~ types[type]) -%}
        {%- endfor -%}
        {%- do statements.extend(backfill_safety._engine('_create_missing_sql')(
            backfill_safety._ledger_store(relation, name), columns + ['seq ' ~ types.integer])) -%}
        {%- if backfill_safety._engine('_has_views')() -%}
            {%- do statements.append('create or replace view ' ~ backfill_safety._ledger_relation(relation, name) ~ ' as '
                ~ backfill_safety._newest_entries_sql(relation, name)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(statements) -%}
{% endmacro %}


{% macro _newest_entries_sql(relation, name) %}
    {%- set key = {'runs': 'run_id', 'units': 'run_id, unit_no', 'leases': 'relation'}[name] -%}
    {%- set columns = backfill_safety._ledger_columns(name).keys() | list -%}
    {%- do return(
        'select ' ~ columns | join(', ') ~ ', seq from (select *, row_number() over (partition by ' ~ key
        ~ ' order by coalesce(seq, 0) desc, ' ~ columns | last ~ ') as newest from ' ~ backfill_safety._ledger_store(relation, name)
        ~ ') as numbered where newest = 1' ~ (' and holder is not null' if name == 'leases' else '')
    ) -%}
{% endmacro %}


{#- Columns that an insert has no values for, where the engine wants them named all the same. -#}
{% macro default___left_out(name, given) %}
    {%- do return([]) -%}
{% endmacro %}


{#- What stands behind the columns of a log. -#}
{% macro default___log_clause() %}
    {%- do return('') -%}
{% endmacro %}


{#- The same types as a cast in a query names them. -#}
{% macro default___cast_types() %}
    {%- do return(backfill_safety._engine('_ledger_types')()) -%}
{% endmacro %}


{#- The type of a date with a time of day that has no zone. -#}
{% macro default___plain_timestamp() %}
    {%- do return(dbt.type_timestamp()) -%}
{% endmacro %}


{#- Rows of the ledger with other values, as an append. -#}
{% macro _appended_sql(relation, name, values, condition) %}
    {%- set types = backfill_safety._engine('_cast_types')() -%}
    {%- set columns = backfill_safety._ledger_columns(name) -%}
    {%- set selected = [] -%}
    {%- for column, type in columns.items() -%}
        {%- do selected.append('cast(' ~ backfill_safety._ledger_value(values[column]) ~ ' as ' ~ types[type] ~ ')' if column in values
            else column) -%}
    {%- endfor -%}
    {%- do return(
        'insert into ' ~ backfill_safety._ledger_store(relation, name) ~ ' (' ~ columns.keys() | join(', ') ~ ', seq) select '
        ~ selected | join(', ') ~ ', coalesce(seq, 0) + 1 from ' ~ backfill_safety._ledger(relation, name) ~ ' where ' ~ condition
    ) -%}
{% endmacro %}


{#- A lease, where nobody else has a living one. Two that ask in the same moment may both read that there is none: whoever reads
    the view after both have written sees one and the same holder, but one may have read before. -#}
{% macro _appended_lease_sql(relation, holder) %}
    {%- set name = backfill_safety._quoted(relation) -%}
    {%- set me = backfill_safety._quoted(holder) -%}
    {%- do return([
        'insert into ' ~ backfill_safety._ledger_store(relation, 'leases') ~ ' (relation, holder, taken_at, expires_at, seq) select '
        ~ name ~ ', ' ~ me ~ ', ' ~ backfill_safety._now().sql ~ ', ' ~ backfill_safety._lease_end_sql() ~ ', s.seq from '
        ~ '(select coalesce(max(seq), 0) + 1 as seq from ' ~ backfill_safety._ledger_store(relation, 'leases') ~ ' where relation = '
        ~ name ~ ') as s cross join (select count(*) as n from ' ~ backfill_safety._ledger(relation, 'leases') ~ ' where relation = '
        ~ name ~ ' and holder <> ' ~ me ~ ' and not (' ~ backfill_safety._stale_lease_sql() ~ ')) as others where others.n = 0',
    ]) -%}
{% endmacro %}


{% macro _lease_of_sql(relation, holder) %}
    {%- do return('relation = ' ~ backfill_safety._quoted(relation) ~ ' and holder = ' ~ backfill_safety._quoted(holder)) -%}
{% endmacro %}


{#- {position: {state, attempt, seq}} of a run's units, read once: with them a unit's next entry needs no look at the log, which
    grows with every unit. -#}
{% macro _unit_entries(plan) %}
    {%- set entries = {} -%}
    {%- for position in backfill_safety._positions(plan) -%}
        {%- do entries.update({position: {'state': 'planned', 'attempt': 0, 'seq': 0}}) -%}
    {%- endfor -%}
    {%- if plan.resumed is not none -%}
        {%- for position, state, attempt, seq in backfill_safety._fetch(
            'select unit_no, state, attempt, coalesce(seq, 0) from ' ~ backfill_safety._ledger(plan.request.relation, 'units')
            ~ ' where run_id = ' ~ backfill_safety._quoted(plan.run_id)
        ) -%} {%- do entries.update({position: {'state': state, 'attempt': attempt, 'seq': seq}}) -%} {%- endfor -%}
    {%- endif -%}
    {%- do return(entries) -%}
{% endmacro %}


{#- The next entry of a unit: under way ('running', its old rows are in the backup), or done. -#}
{% macro _unit_entry_sql(plan, unit, state, began) %}
    {%- set entry = plan.entries[unit.position] -%}
    {%- do entry.update({'state': state, 'seq': entry.seq + 1, 'attempt': entry.attempt + (1 if state == 'running' else 0)}) -%}
    {%- set now = backfill_safety._now().sql -%}
    {%- set elapsed = backfill_safety._seconds_since(began) | round | int -%}
    {%- set is_list = plan.request.grain == 'value' -%}
    {%- do return(backfill_safety._insert_sql(backfill_safety._ledger_store(plan.request.relation, 'units'), {
        'run_id': plan.run_id, 'unit_no': unit.position,
        'name': backfill_safety._unit_name(plan.bounds[unit.position], plan.request),
        'lower_bound': plan.bounds[unit.position] | string,
        'upper_bound': plan.bounds[unit.position + (0 if is_list else 1)] | string,
        'state': state, 'attempt': entry.attempt, 'worker': plan.holder,
        'rows_before': unit.rows_before, 'rows_deleted': unit.rows_before, 'rows_inserted': unit.rows_after,
        'checksum_before': unit.checksum_before, 'checksum_after': unit.checksum_after, 'message': none,
        'started_at': {'sql': dbt.dateadd('second', -1 * elapsed, now)},
        'finished_at': {'sql': now} if state == 'done' else none,
        'seq': entry.seq,
    })) -%}
{% endmacro %}
