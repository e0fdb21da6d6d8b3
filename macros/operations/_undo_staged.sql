{#- One unit back as it was, where an engine has no transactions: the ledger says that it is being undone, its partitions are
    overwritten from the backup, looked at, and recorded. Killed in between, the same call does the unit again. -#}
{% macro _undo_unit_staged(opened, unit, backup) %}
    {%- set relation = opened.relation -%}
    {%- set columns = fromjson(opened.run.columns_written) -%}
    {%- set predicate = backfill_safety._unit_predicate_of(opened, unit) -%}
    {%- set holder = backfill_safety._lease_holder(relation) -%}
    {%- if holder is none or holder[0] != invocation_id -%}
        {%- do backfill_safety._refuse('the lease has been taken by a backfill; ' ~ unit.name
            ~ ' and older units are left as they are. Ask again when it has ended') -%}
    {%- endif -%}
    {%- if backfill_safety._held_rows(backup, columns, predicate) != [unit.rows_before, unit.checksum_before] -%}
        {%- do backfill_safety._refuse('the backup of ' ~ unit.name ~ ' is not what the run replaced; it is left as it is') -%}
    {%- endif -%}
    {%- do backfill_safety._run(
        [
            backfill_safety._renew_lease_sql(relation, invocation_id),
            backfill_safety._set_unit_sql(opened.ledger, opened.run.run_id, unit.unit_no, {'state': 'rolling back'}),
        ]
        + backfill_safety._engine('_overwrite_sql')(relation, backup,
            backfill_safety._engine('_unit_partitions')(relation, [backup, relation], predicate, opened.request.column_sql), 0)
    ) -%}
    {%- if backfill_safety._held_rows(relation, columns, predicate) != [unit.rows_before, unit.checksum_before] -%}
        {%- do backfill_safety._refuse(unit.name ~ ' does not hold what the backup does: somebody else writes to it; ask again') -%}
    {%- endif -%}
    {%- do backfill_safety._run([backfill_safety._set_unit_sql(opened.ledger, opened.run.run_id, unit.unit_no,
        {'state': 'rolled back', 'finished_at': backfill_safety._now()})]) -%}
{% endmacro %}


{#- Units that a run has written, as a condition on the ledger; where nothing holds statements together also those that it, or
    an undo, was overwriting when it was killed. -#}
{% macro _written_units_sql() %}
    {%- do return("state in ('done', 'unchanged')" if backfill_safety._has_transactions()
        else "state in ('done', 'unchanged', 'running', 'rolling back')") -%}
{% endmacro %}


{#- Whether what stands in a unit may be half of something: nobody can tell then whether it was written to later. Where a unit can be
    half-written, the run's plan said so. -#}
{% macro _may_be_half_written(run, unit) %}
    {%- do return(unit.state in ['running', 'rolling back'] and 'BF305' in run.findings) -%}
{% endmacro %}


{#- What a unit may hold as the run left it, [rows, checksum] each: its new rows, and where it was under way also its old ones. -#}
{% macro _left_in(unit) %}
    {%- set left = [[unit.rows_inserted, unit.checksum_after]] -%}
    {%- if unit.state in ['running', 'rolling back'] -%} {%- do left.append([unit.rows_before, unit.checksum_before]) -%} {%- endif -%}
    {%- do return(left) -%}
{% endmacro %}
