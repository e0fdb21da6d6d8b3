{#- What a cloud engine's own EXPLAIN says about the reading, {rows, bytes, …} as far as it tells: of the window where it is read
    once, else of the last unit as often as there are units; and of the proof of the inputs. none where it tells nothing. -#}
{% macro _explained_estimate(plan) %}
    {%- set request = plan.request -%}
    {%- set last = plan.slots - 1 -%}
    {%- set is_once = plan.read == 'once' -%}
    {%- set sql = backfill_safety._window_sql(plan) if is_once else backfill_safety._unit_sql(plan, last, last) -%}
    {%- set each = backfill_safety._engine('_reads')('select * from (\n' ~ sql ~ '\n) as backfill_rows where '
        ~ backfill_safety._units_predicate(request, plan.bounds, 0 if is_once else last, last)) -%}
    {%- if each is none -%} {%- do return(none) -%} {%- endif -%}
    {%- set proof = {} -%}
    {%- if backfill_safety._proves_inputs(plan) -%}
        {%- set positions = backfill_safety._sampled_positions(plan, none) -%}
        {%- set proof = backfill_safety._engine('_reads')(backfill_safety._unbounded_sample_sql(plan, positions)) -%}
    {%- endif -%}
    {%- if proof is none -%} {%- do return(none) -%} {%- endif -%}
    {#- what is read once is read so by the proof as well -#}
    {%- set times = (2 if proof else 1) if is_once else plan.units -%}
    {%- set estimate = {} -%}
    {%- for name, number in each.items() if not proof or name in proof -%}
        {%- do estimate.update({name: (number * times + proof.get(name, 0)) | int}) -%}
    {%- endfor -%}
    {%- do return(estimate or none) -%}
{% endmacro %}


{#- An answer that is one JSON object; an empty one where it is anything else. -#}
{% macro _answered_object(rows) %}
    {%- set found = fromjson(rows[0][0] | string, none) if rows and rows[0] else none -%}
    {%- do return(found if found is mapping else {}) -%}
{% endmacro %}


{#- The sums of what each part tells, {our name: sum} of {their name: our name}; none of no parts. What one of them does not tell is left
    out; NaN and anything from an exabyte up stand for not knowing. -#}
{% macro _told(names, parts) %}
    {%- set told = {} -%}
    {%- for theirs, ours in names.items() -%}
        {%- set numbers = [] -%}
        {%- for part in parts if part is mapping and part.get(theirs) is number and 0 <= part[theirs] < 2 ** 60 -%}
            {%- do numbers.append(part[theirs]) -%}
        {%- endfor -%}
        {%- if parts and numbers | length == parts | length -%} {%- do told.update({ours: numbers | sum | int}) -%} {%- endif -%}
    {%- endfor -%}
    {%- do return(told or none) -%}
{% endmacro %}
