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
        {%- do findings.append(backfill_safety._finding('BF505', 'warn', 'there is no estimate of what will be read'
            ~ (', so limits hold only while it runs' if limits.rows is defined or limits.bytes is defined else ''),
            'try one unit first')) -%}
    {%- else -%}
        {%- for name in ['rows', 'bytes'] if limits[name] is defined -%}
            {%- do findings.extend(backfill_safety._over_limit(name, plan.estimate, limits[name])) -%}
        {%- endfor -%}
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


{#- BF505 of an estimate beside a limit on rows or bytes. -#}
{% macro _over_limit(name, estimate, limit) %}
    {%- if name not in estimate -%}
        {%- do return([backfill_safety._finding('BF505', 'warn', target.type ~ ' tells no ' ~ name ~ ' before the run, so limits: {' ~ name
            ~ ': …} cannot be checked', 'write limits: {' ~ ('rows' if name == 'bytes' else 'bytes') ~ ': …} instead')]) -%}
    {%- endif -%}
    {%- if estimate[name] <= limit -%} {%- do return([]) -%} {%- endif -%}
    {%- set told = estimate[name] -%}
    {%- do return([backfill_safety._finding(
        'BF505', 'block', 'about ' ~ (backfill_safety._bytes_word(told) if name == 'bytes' else backfill_safety._grouped(told) ~ ' rows')
            ~ ' would be read and the limit is '
            ~ (backfill_safety._bytes_word(limit) if name == 'bytes' else backfill_safety._grouped(limit)),
        'run a part of the window, or write limits: {' ~ name ~ ': ' ~ told ~ '}'
    )]) -%}
{% endmacro %}
