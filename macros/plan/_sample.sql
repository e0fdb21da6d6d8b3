{#- A few units computed beforehand: the first, the largest, the last. They show what the run would meet, and where inputs
    are declared they are computed without the bounds as well and must agree. Without inputs only where a unit is cheap and hangs
    on no other; and once for all workers of a run. -#}
{% macro _sample(plan) %}
    {%- set request = plan.request -%}
    {%- set joins = request.worker is not none and plan.resumed is not none and plan.resumed.state == 'running' -%}
    {%- set is_proved = backfill_safety._proves_inputs(plan) -%}
    {%- set is_cheap = plan.read == 'per_unit' and not backfill_safety._goes_in_order(plan) -%}
    {%- if joins or not (is_proved or is_cheap) -%} {%- do return([]) -%} {%- endif -%}
    {%- set positions = backfill_safety._sampled_positions(plan, backfill_safety._largest_unit(plan)) -%}
    {%- set queries = [] -%}
    {%- set sample = {} -%}
    {%- set past = backfill_safety._past_cursor_sql(plan.cursor, plan.columns) or '1 = 0' -%}
    {%- set past = 'count(case when ' ~ past ~ ' then 1 end)' -%}
    {%- if plan.read == 'once' -%}
        {%- do queries.append(backfill_safety._sampled_sql(plan, 'new', backfill_safety._window_sql(plan), positions, past)) -%}
    {%- endif -%}
    {%- for position in positions -%}
        {%- if plan.read != 'once' -%}
            {%- set sql = backfill_safety._unit_sql(plan, position, position) -%}
            {%- do queries.append(backfill_safety._sampled_sql(plan, 'new', sql, [position], past)) -%}
        {%- endif -%}
        {%- do queries.append("select 'old', " ~ position ~ ', count(*), null, 0 from ' ~ request.relation ~ ' where '
            ~ backfill_safety._units_predicate(request, plan.bounds, position, position)) -%}
        {%- set name = backfill_safety._unit_name(plan.bounds[position], request) -%}
        {%- do sample.update({position: {'unit_no': position, 'name': name, 'new': 0, 'new_checksum': none}}) -%}
    {%- endfor -%}
    {%- if is_proved -%} {%- do queries.append(backfill_safety._unbounded_sample_sql(plan, positions)) -%} {%- endif -%}
    {%- for side, position, n, checksum, past in backfill_safety._fetch(plan.rendered.header ~ queries | join('\nunion all\n')) -%}
        {%- do sample[position].update({side: n, side ~ '_checksum': checksum, side ~ '_past': past}) -%}
    {%- endfor -%}
    {%- do return(sample.values() | list) -%}
{% endmacro %}


{#- Whether a few units are computed without the bounds of the inputs as well. Not for microbatch, where dbt itself says what a
    batch reads. -#}
{% macro _proves_inputs(plan) %}
    {%- do return(plan.inputs and not plan.request.microbatch) -%}
{% endmacro %}


{#- The first, the largest and the last of the units that are not skipped. The first alone where a model reads its own table: what
    the others give hangs on what is committed before them. -#}
{% macro _sampled_positions(plan, largest) %}
    {%- set positions = backfill_safety._positions(plan) -%}
    {%- if plan.reads_itself -%} {%- do return(positions[:1]) -%} {%- endif -%}
    {%- set chosen = [positions[0], positions[-1]] + ([largest] if largest in positions else []) -%}
    {%- do return(chosen | unique | sort) -%}
{% endmacro %}


{#- Rows and checksum of some units in one reading of the SQL that gives them. Of several, one without rows gives no row here.
    Columns without names: some engines would take one for a column of the model. -#}
{% macro _sampled_sql(plan, side, sql, positions, past='0') %}
    {%- set arms = [] -%}
    {%- set predicates = [] -%}
    {%- for position in positions -%}
        {%- set predicate = backfill_safety._units_predicate(plan.request, plan.bounds, position, position) -%}
        {%- do predicates.append(predicate if positions | length == 1 else '(' ~ predicate ~ ')') -%}
        {%- do arms.append(' when ' ~ predicates[-1] ~ ' then ' ~ position) -%}
    {%- endfor -%}
    {%- set unit = positions[0] if positions | length == 1 else 'case' ~ arms | join ~ ' end' -%}
    {%- do return(
        "select '" ~ side ~ "', " ~ unit ~ ', count(*), ' ~ backfill_safety._proof_checksum(plan) ~ ', ' ~ past ~ ' from (\n' ~ sql
        ~ '\n) as backfill_rows where ' ~ predicates | join(' or ') ~ (' group by ' ~ unit if positions | length > 1 else '')
    ) -%}
{% endmacro %}


{#- The same units from the model without the bounds of its inputs: in one reading, unless units have SQL of their own. -#}
{% macro _unbounded_sample_sql(plan, positions) %}
    {%- if plan.branch == 'live' or plan.first.bounds or plan.renders_each -%}
        {%- do return(backfill_safety._unbounded_arms(plan, positions)) -%}
    {%- endif -%}
    {%- do return(backfill_safety._sampled_sql(plan, 'unbounded', plan.first.sql, positions)) -%}
{% endmacro %}


{% macro _unbounded_arms(plan, positions) %}
    {%- set is_once = plan.read == 'once' -%}
    {%- set whole = backfill_safety._unbounded(plan, 0 if is_once else positions[0], plan.slots - 1 if is_once else positions[0]) -%}
    {#- what still has bounds has them from the model itself, or reads its own table before the unit -#}
    {%- if is_once or not (plan.renders_each or whole.bounds) -%}
        {%- do return(backfill_safety._sampled_sql(plan, 'unbounded', whole.sql, positions)) -%}
    {%- endif -%}
    {%- set queries = [] -%}
    {%- for position in positions -%}
        {%- set sql = whole.sql if loop.first else backfill_safety._unbounded(plan, position, position).sql -%}
        {%- do queries.append(backfill_safety._sampled_sql(plan, 'unbounded', sql, [position])) -%}
    {%- endfor -%}
    {%- do return(queries | join('\nunion all\n')) -%}
{% endmacro %}


{% macro _unbounded(plan, first, last) %}
    {%- do return(backfill_safety._render_plan(plan, {'unit': backfill_safety._unit_ends(plan, first, last), 'inputs': {}})) -%}
{% endmacro %}


{#- How often the proof reads the inputs without their bounds: at most once a unit that is looked at. -#}
{% macro _readings_of_proof(plan) %}
    {%- if not backfill_safety._proves_inputs(plan) -%} {%- do return(0) -%} {%- endif -%}
    {%- do return([plan.units, 3] | min if plan.renders_each and not plan.reads_itself else 1) -%}
{% endmacro %}


{#- The unit that holds most rows now, of those that are not skipped; none where the target has no rows of them. -#}
{% macro _largest_unit(plan) %}
    {%- set request = plan.request -%}
    {%- if plan.units <= 2 or plan.existing.window == 0 or not plan.inputs or plan.reads_itself -%} {%- do return(none) -%} {%- endif -%}
    {%- set predicates = [backfill_safety._units_predicate(request, plan.bounds, 0, plan.slots - 1)] -%}
    {%- for position in plan.skipped -%}
        {%- do predicates.append('not (' ~ backfill_safety._units_predicate(request, plan.bounds, position, position) ~ ')') -%}
    {%- endfor -%}
    {%- set rows = backfill_safety._fetch(
        'select cast(max(' ~ request.column_sql ~ ') as ' ~ dbt.type_string() ~ '), count(*) from ' ~ request.relation ~ ' where '
        ~ predicates | join(' and ') ~ ' group by ' ~ backfill_safety._coarse_unit(request) ~ ' order by 2 desc, 1 limit 1'
    ) -%}
    {%- if not rows -%} {%- do return(none) -%} {%- endif -%}
    {%- do return(backfill_safety._position_of(rows[0][0][:19], plan)) -%}
{% endmacro %}


{#- The position of the unit that holds a value of the partition column, given as text. -#}
{% macro _position_of(text, plan) %}
    {%- set grain = plan.request.grain -%}
    {%- if grain == 'value' and text in plan.bounds -%} {%- do return(plan.bounds.index(text)) -%} {%- endif -%}
    {%- set found = namespace(position=0) -%}
    {%- for bound in plan.bounds[:plan.slots] if (text | int >= bound | int if grain is number else text >= bound) -%}
        {%- set found.position = loop.index0 -%}
    {%- endfor -%}
    {%- do return(found.position) -%}
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


{#- A checksum that does not see columns that are declared volatile, nor the last bits of floating-point numbers, whose sums depend on
    the order of rows. -#}
{% macro _proof_checksum(plan) %}
    {%- set parts = [] -%}
    {%- set rounded = backfill_safety._engine('_rounded_sql') -%}
    {%- set volatile = backfill_safety._meta_setting(plan.request.node, 'volatile') or [] -%}
    {%- for name in plan.columns if name not in volatile -%}
        {%- set column = backfill_safety._find_column(plan.request.columns, name) -%}
        {%- set quoted = backfill_safety._quote(name) -%}
        {%- do parts.append(rounded(quoted, column.data_type | lower)) -%}
    {%- endfor -%}
    {%- do return(backfill_safety._checksum_of(parts or ['1'])) -%}
{% endmacro %}


{#- A column without the last bits of a floating-point number. -#}
{% macro default___rounded_sql(quoted, data_type) %}
    {%- do return('cast(' ~ quoted ~ ' as real)' if modules.re.match('double|float|real', data_type) else quoted) -%}
{% endmacro %}
