{#- A few units computed beforehand: the first, the largest, the last. They show what the run would meet, and where inputs
    are declared they are computed without the bounds as well and must agree. Only where a unit is cheap: read per unit; and once
    for all workers of a run. -#}
{% macro _sample(plan) %}
    {%- set request = plan.request -%}
    {%- set joins = request.worker is not none and plan.resumed is not none and plan.resumed.state == 'running' -%}
    {%- if plan.read != 'per_unit' or plan.branch == 'live' or joins -%} {%- do return([]) -%} {%- endif -%}
    {%- set positions = [] -%}
    {%- for position in [0, backfill_safety._largest_unit(plan), plan.slots - 1] if position is not none
        and position not in plan.skipped -%}
        {%- do positions.append(position) -%}
    {%- endfor -%}
    {%- set positions = positions | unique | sort -%}
    {#- columns without names: some engines would take one for a column of the model -#}
    {%- set queries = [] -%}
    {%- set past = backfill_safety._past_cursor_sql(plan.cursor, plan.columns) or '1 = 0' -%}
    {%- for position in positions -%}
        {%- set predicate = backfill_safety._units_predicate(request, plan.bounds, position, position) -%}
        {%- do queries.append(
            "select 'new', " ~ position ~ ', count(*), ' ~ backfill_safety._proof_checksum(plan)
                ~ ', count(case when ' ~ past ~ ' then 1 end) from (\n'
            ~ backfill_safety._unit_sql(plan, position, position) ~ '\n) as backfill_rows where ' ~ predicate
        ) -%}
        {%- do queries.append("select 'old', " ~ position ~ ', count(*), null, 0 from ' ~ request.relation ~ ' where ' ~ predicate) -%}
    {%- endfor -%}
    {%- if plan.inputs and not request.microbatch and not plan.renders_each -%}
        {%- do queries.append(backfill_safety._unbounded_sample_sql(plan, positions)) -%}
    {%- endif -%}
    {%- set sample = {} -%}
    {%- for position in positions -%}
        {%- do sample.update({position: {'unit_no': position, 'name': backfill_safety._unit_name(plan.bounds[position], request)}}) -%}
    {%- endfor -%}
    {%- for side, position, n, checksum, past in backfill_safety._fetch(plan.rendered.header ~ queries | join('\nunion all\n')) -%}
        {%- do sample[position].update({side: n, side ~ '_checksum': checksum, side ~ '_past': past}) -%}
    {%- endfor -%}
    {%- do return(sample.values() | list) -%}
{% endmacro %}


{#- The same units from the model without bounds, in one reading. A unit without rows gives no row here. -#}
{% macro _unbounded_sample_sql(plan, positions) %}
    {%- set request = plan.request -%}
    {%- set arms = [] -%}
    {%- set predicates = [] -%}
    {%- for position in positions -%}
        {%- set predicate = '(' ~ backfill_safety._units_predicate(request, plan.bounds, position, position) ~ ')' -%}
        {%- do predicates.append(predicate) -%}
        {%- do arms.append(' when ' ~ predicate ~ ' then ' ~ position) -%}
    {%- endfor -%}
    {%- do return(
        "select 'unbounded', case" ~ arms | join ~ ' end, count(*), ' ~ backfill_safety._proof_checksum(plan) ~ ', 0 from (\n'
            ~ plan.first.sql
        ~ '\n) as backfill_rows where ' ~ predicates | join(' or ') ~ ' group by 2'
    ) -%}
{% endmacro %}


{#- The unit that holds most rows now; none where the target has no rows in the window. -#}
{% macro _largest_unit(plan) %}
    {%- set request = plan.request -%}
    {%- if plan.slots <= 2 or plan.existing.window == 0 or not plan.inputs -%} {%- do return(none) -%} {%- endif -%}
    {%- set rows = backfill_safety._fetch(
        'select cast(max(' ~ request.column_sql ~ ') as ' ~ dbt.type_string() ~ '), count(*) from ' ~ request.relation ~ ' where '
        ~ backfill_safety._units_predicate(request, plan.bounds, 0, plan.slots - 1) ~ ' group by '
            ~ backfill_safety._coarse_unit(request) ~ ' order by 2 desc, 1 limit 1'
    ) -%}
    {%- set text = rows[0][0][:19] -%}
    {%- set found = namespace(position=0) -%}
    {%- for bound in plan.bounds[:plan.slots] if (text | int >= bound | int if request.grain is number else text >= bound) -%}
        {%- set found.position = loop.index0 -%}
    {%- endfor -%}
    {%- do return(plan.bounds.index(text) if request.grain == 'value' and text in plan.bounds else found.position) -%}
{% endmacro %}


{#- Near enough to a unit to find the fullest one. -#}
{% macro _coarse_unit(request) %}
    {%- if request.column_kind == 'integer' and request.grain is number -%}
        {%- do return('floor(' ~ request.column_sql ~ ' / ' ~ request.grain ~ ')') -%}
    {%- endif -%}
    {%- if request.column_kind in ['date', 'timestamp', 'timestamptz'] and request.grain != 'value' -%}
        {%- do return(dbt.date_trunc(request.grain, request.column_sql)) -%}
    {%- endif -%}
    {%- do return(request.column_sql) -%}
{% endmacro %}


{#- A checksum that does not see the last bits of floating-point numbers, whose sums depend on the order of rows. -#}
{% macro _proof_checksum(plan) %}
    {%- set parts = [] -%}
    {%- set rounded = backfill_safety._engine('_rounded_sql') -%}
    {%- for name in plan.columns -%}
        {%- set column = backfill_safety._find_column(plan.request.columns, name) -%}
        {%- set quoted = backfill_safety._quote(name) -%}
        {%- do parts.append(rounded(quoted, column.data_type | lower)) -%}
    {%- endfor -%}
    {%- do return(backfill_safety._checksum_of(parts)) -%}
{% endmacro %}


{#- A column without the last bits of a floating-point number. -#}
{% macro default___rounded_sql(quoted, data_type) %}
    {%- do return('cast(' ~ quoted ~ ' as real)' if modules.re.match('double|float|real', data_type) else quoted) -%}
{% endmacro %}
