{#- What the target holds now: rows in all, in the window, and without a partition. -#}
{% macro _existing_rows(plan) %}
    {%- set request = plan.request -%}
    {%- set predicate = backfill_safety._units_predicate(request, plan.bounds, 0, plan.slots - 1) -%}
    {%- set row = backfill_safety._fetch(
        'select count(*), count(case when ' ~ predicate ~ ' then 1 end), count(case when ' ~ request.column_sql
            ~ ' is null then 1 end) from ' ~ request.relation
    )[0] -%}
    {%- do return({'rows': row[0], 'window': row[1], 'without_partition': row[2]}) -%}
{% endmacro %}


{#- Rows to read, {rows, of, proof, unbounded}: what the planner expects, but the rows of bounded inputs counted; apart what the
    proof of the inputs reads, and the rows of tables that no input bounds. none where unknown. -#}
{% macro default___estimate(plan) %}
    {%- set scans = backfill_safety._scans(backfill_safety._window_sql(plan)) -%}
    {%- if scans is none -%} {%- do return(none) -%} {%- endif -%}
    {%- set bounded = [] -%}
    {%- set counted = namespace(rows=0) -%}
    {%- for id, input in (plan.inputs.items() if plan.request.grain != 'value' else []) if id not in plan.whole -%}
        {%- do input.update({'counted': backfill_safety._bounded_rows(plan, input)}) -%}
        {%- set counted.rows = counted.rows + input.counted -%}
        {%- do bounded.extend(backfill_safety._scans('select * from ' ~ input.relation) | map(attribute='table')) -%}
    {%- endfor -%}
    {%- set others = scans | rejectattr('table', 'in', bounded) | sum(attribute='rows') -%}
    {%- set rows = counted.rows + others -%}
    {#- a table that was never analyzed has no size yet -#}
    {%- set of = [scans | sum(attribute='size'), rows] | max -%}
    {#- what is read once is read so by the proof as well -#}
    {%- set proof = of * backfill_safety._readings_of_proof(plan)
        + (rows if plan.read == 'once' and backfill_safety._proves_inputs(plan) else 0) -%}
    {%- do return({'rows': rows, 'of': of, 'unbounded': others, 'proof': proof}) -%}
{% endmacro %}


{% macro _bounded_rows(plan, input) %}
    {%- do return(backfill_safety._fetch(backfill_safety._bounded_rows_sql(plan, input))[0][0]) -%}
{% endmacro %}


{% macro _bounded_rows_sql(plan, input) %}
    {%- set ends = backfill_safety._input_literals(input, plan.request, backfill_safety._unit_ends(plan, 0, plan.slots - 1)) -%}
    {%- do return('select count(*) as backfill_count from ' ~ input.relation ~ ' where ' ~ input.column_sql ~ ' >= ' ~ ends[0] ~ ' and '
        ~ input.column_sql ~ ' < ' ~ ends[1]) -%}
{% endmacro %}


{#- The SQL of the whole window in one piece, where the template allows it; else that of the first unit. -#}
{% macro _window_sql(plan) %}
    {%- if plan.renders_each -%} {%- do return(plan.sample_sql) -%} {%- endif -%}
    {%- do return(backfill_safety._fill(plan.rendered.sql, plan.rendered.bounds, plan.request, plan.bounds, 0, plan.slots - 1)) -%}
{% endmacro %}


{#- The SQL that gives the rows of the units first … last, before they are cut to these units. -#}
{% macro _unit_sql(plan, first, last) %}
    {%- if plan.renders_each -%}
        {%- do return(backfill_safety._render_plan(plan, {'unit': backfill_safety._unit_ends(plan, first, last)}).sql) -%}
    {%- endif -%}
    {%- do return(backfill_safety._fill(plan.rendered.sql, plan.rendered.bounds, plan.request, plan.bounds, first, last)) -%}
{% endmacro %}
