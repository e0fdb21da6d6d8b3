{#- Check 5: are rows, units and rate known and capped before the run? -#}
{% macro _check_cost(plan) %}
    {%- set request = plan.request -%}
    {%- set limits = request.limits -%}
    {%- set findings = [] -%}
    {%- if plan.units > limits.units -%}
        {%- do findings.append(backfill_safety._finding(
            'BF505', 'block', 'the window has ' ~ backfill_safety._grouped(plan.units) ~ ' units and the limit is '
                ~ backfill_safety._grouped(limits.units),
            'run a part of the window, or write limits: {units: ' ~ plan.units ~ '}'
        )) -%}
    {%- endif -%}
    {%- if plan.estimate is none -%}
        {%- if limits.rows is defined or limits.bytes is defined -%}
            {%- do findings.append(backfill_safety._finding('BF505', 'warn',
                'there is no estimate of what will be read, so limits hold only while it runs', 'try one unit first')) -%}
        {%- endif -%}
    {%- elif limits.rows is defined and plan.estimate.rows > limits.rows -%}
        {%- do findings.append(backfill_safety._finding(
            'BF505', 'block', 'about ' ~ backfill_safety._grouped(plan.estimate.rows) ~ ' rows would be read and the limit is '
                ~ backfill_safety._grouped(limits.rows),
            'run a part of the window, or write limits: {rows: ' ~ plan.estimate.rows ~ '}'
        )) -%}
    {%- endif -%}
    {%- if limits.bytes is defined and plan.estimate is not none and 'bytes' not in plan.estimate -%}
        {%- do findings.append(backfill_safety._finding('BF505', 'warn', target.type
            ~ ' tells no bytes before the run, so limits: {bytes: …} cannot be checked', 'write limits: {rows: …} instead')) -%}
    {%- endif -%}
    {%- if request.microbatch and plan.inputs -%}
        {%- set bounded = plan.inputs.keys() | list -%}
        {%- for id in request.node.depends_on.nodes if id not in bounded and (id in graph.nodes or id in graph.sources) -%}
            {%- do findings.append(backfill_safety._finding(
                'BF503', 'info', (graph.nodes.get(id) or graph.sources[id]).name
                    ~ ' declares no event_time and is read whole for every unit', 'set event_time on it, if it is large'
            )) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- do return(findings) -%}
{% endmacro %}
