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
    {%- if plan.first['vars'] -%} {%- do findings.extend(backfill_safety._window_var_findings(plan)) -%} {%- endif -%}
    {%- do findings.extend(backfill_safety._proof_findings()) -%}
    {%- if plan.rendered.queried -%} {%- do findings.append(backfill_safety._queried_finding(node)) -%} {%- endif -%}
    {%- do return(findings) -%}
{% endmacro %}


{% macro _queried_finding(node) %}
    {%- do return(backfill_safety._finding(
        'BF110', 'warn', node.name
            ~ ' asks the warehouse while it is rendered; what the answer was is in the SQL above, why is not known',
        'read the SQL above; if the answer would differ for an old unit, give it by var'
    )) -%}
{% endmacro %}


{% macro _window_var_findings(plan) %}
    {%- set findings = [] -%}
    {%- for bound in backfill_safety._window_vars(plan) -%}
        {%- do findings.append(backfill_safety._finding(
            'BF105', 'block' if bound.is_named_so else 'warn', "the rows of " ~ plan.request.node.name ~ " depend on var '" ~ bound.name
                ~ "' (now " ~ bound.value ~ ('), so most units would' if bound.is_named_so else ', a day of the window), so units could')
                ~ ' come out empty or cut',
            'give it per unit: vars: {' ~ bound.name ~ ': "' ~ bound.place ~ '"}'
        )) -%}
    {%- endfor -%}
    {%- do return(findings) -%}
{% endmacro %}


{#- Vars that bound a first build inside of the window, without being given per unit: [{name, value, place, is_named_so}]. Where a name
    tells nothing, the value may as well be a day on which a rule changed, so that is no more than a doubt. -#}
{% macro _window_vars(plan) %}
    {%- set request = plan.request -%}
    {%- set found = [] -%}
    {%- if request.grain == 'value' or request.grain is number -%} {%- do return(found) -%} {%- endif -%}
    {%- set start, end = request.start.isoformat()[:10], request.end.isoformat()[:10] -%}
    {%- for name, value in plan.first['vars'].items() if name not in request['vars'] and value | string in plan.first.bare -%}
        {%- set date = modules.re.match('^(\\d{4})-?(\\d{2})-?(\\d{2})', value | string) -%}
        {%- if date -%}
            {%- set day = date.groups() | join('-') -%}
            {%- set is_end = modules.re.search('(?i)end|until|stop|max|upper|as_of|to$', name) is not none -%}
            {%- set is_named_so = true -%}
            {%- if modules.re.search('(?i)start|from|begin|since|min|lower', name) -%} {%- set cuts = day > start -%}
            {%- elif is_end -%} {%- set cuts = day < end -%}
            {%- elif modules.re.search('(?i)date|day|window|run|partition|^d[st]$', name) -%} {%- set cuts = true -%}
            {%- else -%} {%- set cuts, is_named_so = start < day < end, false -%}
            {%- endif -%}
            {%- if cuts -%}
                {%- set place = '{end}' if is_end else '{start}' -%}
                {%- do found.append({'name': name, 'value': value, 'place': place, 'is_named_so': is_named_so}) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(found) -%}
{% endmacro %}
