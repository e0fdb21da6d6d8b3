{#- What the first commit has read, beside its share of the estimate. One that reads far more does not read its own rows but the
    whole table each time (no index, no partition that could be left out): it does not stand, and the run stops before it has
    been paid for once a unit. Where nothing tells what was read, the verdict stays. -#}
{% macro _compared(plan, group, done, verdict) %}
    {%- set share = plan.estimate.rows * group | length // plan.units -%}
    {%- do plan.update({'compared': {'read': done.read, 'share': share}}) -%}
    {%- set is_near = done.read < 1000000 or done.read <= 10 * share -%}
    {%- if not verdict.ok or is_near or 'BF505' in plan.request.accept -%} {%- do return(verdict) -%} {%- endif -%}
    {%- do return({
        'ok': false, 'state': 'planned',
        'message': 'BF505: was not written: it read ' ~ backfill_safety._rounded(done.read) ~ ' rows and its share of the estimate is '
            ~ backfill_safety._rounded(share)
            ~ '; pruning failed. Index the column that inputs name, write read: once, or accept: {BF505: reason}',
    }) -%}
{% endmacro %}
