{#- Check 5: are rows, units and rate known and capped before the run? -#}
{% macro _check_cost(plan) %}
    {%- set request = plan.request -%}
    {%- set limits = request.limits -%}
    {%- set findings = [] -%}
    {%- if plan.units > limits.units -%} {%- do findings.append(backfill_safety._units_finding(plan.units, limits.units)) -%} {%- endif -%}
    {%- set capped = ['rows', 'bytes'] | select('in', limits) | list -%}
    {%- if plan.estimate is none -%} {%- do findings.append(backfill_safety._no_estimate_finding(capped)) -%}
    {%- else -%}
        {%- for name in capped -%} {%- do findings.extend(backfill_safety._over_limit(name, plan.estimate, limits[name])) -%} {%- endfor -%}
    {%- endif -%}
    {%- if request.microbatch or plan.whole -%} {%- do findings.extend(backfill_safety._whole_parent_findings(plan)) -%} {%- endif -%}
    {%- do return(findings) -%}
{% endmacro %}


{% macro _units_finding(units, limit) %}
    {%- do return(backfill_safety._finding(
        'BF505', 'block', 'the window has ' ~ backfill_safety._grouped(units) ~ ' units and the limit is '
            ~ backfill_safety._grouped(limit),
        'run a part of the window, or write limits: {units: ' ~ units ~ '}'
    )) -%}
{% endmacro %}


{% macro _no_estimate_finding(capped) %}
    {%- do return(backfill_safety._finding('BF505', 'warn', 'there is no estimate of what will be read'
        ~ (', so limits hold only while it runs' if capped else ''), 'try one unit first')) -%}
{% endmacro %}


{#- BF503: parents of a microbatch that are read whole for each batch; and of any model those whose declared bound is taken off. -#}
{% macro _whole_parent_findings(plan) %}
    {%- set node = plan.request.node -%}
    {%- set unit = backfill_safety._unit_word(plan.request, 1) -%}
    {%- set parents = {} -%}
    {%- for id in node.depends_on.nodes + plan.whole if id in graph.nodes or id in graph.sources -%}
        {%- do parents.update({id: (graph.nodes.get(id) or graph.sources[id]).name}) -%}
    {%- endfor -%}
    {%- if backfill_safety._is_unbounded_batch(plan) -%}
        {%- do return([backfill_safety._finding(
            'BF503', 'block', 'no parent of ' ~ node.name ~ ' is cut to its batch: each ' ~ unit ~ ' of its own run reads all of '
                ~ backfill_safety._name_list(parents.values()),
            backfill_safety._how_to_cut(plan)
        )]) -%}
    {%- endif -%}
    {%- set findings = [] -%}
    {%- for id, name in parents.items() -%}
        {%- if id in plan.whole -%}
            {%- do findings.append(backfill_safety._finding(
                'BF503', 'warn', 'the bound of ' ~ name ~ ' does not reach the SQL, which reads all of it', 'write it without .render()'
            )) -%}
        {%- elif plan.request.microbatch and plan.inputs and id not in plan.declared -%}
            {%- do findings.append(backfill_safety._finding(
                'BF503', 'info', name ~ (' is not among inputs' if plan.request.inputs else ' declares no event_time')
                    ~ ' and is read whole for every unit', 'set event_time on it, if it is large'
            )) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(findings) -%}
{% endmacro %}


{#- Whether nothing cuts the parents of a microbatch to its batch: no event_time that reaches the SQL, nor the model by hand. -#}
{% macro _is_unbounded_batch(plan) %}
    {%- set node = plan.request.node -%}
    {%- do return(plan.request.microbatch and not plan.inputs and node.depends_on.nodes
        and not modules.re.search('\\bevent_time_(start|end)\\b', node.raw_code)) -%}
{% endmacro %}


{#- What cuts a microbatch that nothing cuts now. -#}
{% macro _how_to_cut(plan) %}
    {%- if plan.whole -%}
        {%- set names = [] -%}
        {%- for id in plan.whole -%} {%- do names.append((graph.nodes.get(id) or graph.sources[id]).name) -%} {%- endfor -%}
        {%- do return('write ' ~ backfill_safety._name_list(names) ~ ' without .render()') -%}
    {%- endif -%}
    {%- if plan.boundable is none -%} {%- do return('set event_time on the parent that holds the events') -%} {%- endif -%}
    {%- set name, column = plan.boundable.name, plan.boundable.column -%}
    {%- do return('bound it here: inputs: {' ~ name ~ ': ' ~ column ~ '}; for its own runs set event_time: ' ~ column ~ ' on ' ~ name) -%}
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
