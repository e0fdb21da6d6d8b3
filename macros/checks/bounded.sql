{#- Check 1: is the work cut into per-partition commits inside an explicit window? -#}
{% macro _check_bounded(plan) %}
    {%- set request = plan.request -%}
    {%- set node = request.node -%}
    {%- set findings = [] -%}
    {%- if plan.units > 1 and node.config.materialized == 'incremental' and node.config.get('full_refresh') is none -%}
        {%- do findings.append(backfill_safety._finding(
            'BF101', 'info', 'dbt run --full-refresh is allowed on ' ~ node.name ~ ' and would rebuild all of its history',
            'set full_refresh: false in the config of ' ~ node.name
        )) -%}
    {%- endif -%}
    {%- for name, value in backfill_safety._window_vars(plan).items() -%}
        {%- do findings.append(backfill_safety._finding(
            'BF105', 'block', "the rows of " ~ node.name ~ " depend on var '" ~ name ~ "' (now " ~ value
                ~ '), so most units would come out empty or cut',
            'give it per unit: vars: {' ~ name ~ ': "' ~ ('{end}' if modules.re.search('end|to|until|stop|max', name) else '{start}') ~ '"}'
        )) -%}
    {%- endfor -%}
    {%- do findings.extend(backfill_safety._proof_findings()) -%}
    {%- if plan.rendered.queried -%}
        {%- do findings.append(backfill_safety._finding(
            'BF110', 'warn', node.name
                ~ ' asks the warehouse while it is rendered; what the answer was is in the SQL above, why is not known',
            'read the SQL above; if the answer would differ for an old unit, give it by var'
        )) -%}
    {%- endif -%}
    {%- do return(findings) -%}
{% endmacro %}


{#- Vars that bound a first build inside of the window, without being given per unit: {name: value}. -#}
{% macro _window_vars(plan) %}
    {%- set request = plan.request -%}
    {%- set found = {} -%}
    {%- if request.grain == 'value' or request.grain is number -%} {%- do return(found) -%} {%- endif -%}
    {%- set start, end = request.start.isoformat()[:10], request.end.isoformat()[:10] -%}
    {%- for name, value in plan.first['vars'].items() if name not in request['vars'] and value | string in plan.first.sql -%}
        {%- set date = modules.re.match('^(\\d{4})-?(\\d{2})-?(\\d{2})', value | string) -%}
        {%- if date -%}
            {%- set day = date.groups() | join('-') -%}
            {%- if modules.re.search('(?i)start|from|begin|since|min', name) -%} {%- set cuts = day > start -%}
            {%- elif modules.re.search('(?i)end|until|stop|max|to$', name) -%} {%- set cuts = day < end -%}
            {%- else -%} {%- set cuts = modules.re.search('(?i)date|day|window|run|partition', name) is not none -%}
            {%- endif -%}
            {%- if cuts -%} {%- do found.update({name: value}) -%} {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(found) -%}
{% endmacro %}
