{#- The plan as one JSON object: the shape of the findings is the checker's. -#}
{% macro _print_plan_json(plan) %}
    {%- set request = plan.request -%}
    {%- set findings = [] -%}
    {%- for finding in plan.findings -%}
        {#- a block finding that was accepted stays one, and carries the reason -#}
        {%- set accepted = {'accepted': finding.accepted} if finding.accepted is defined else {} -%}
        {%- do findings.append(dict({
            'code': finding.code, 'check': finding.check, 'severity': finding.severity, 'model': request.node.unique_id,
            'path': request.node.original_file_path, 'line': 1, 'message': finding.message, 'alternative': finding.alternative,
        }, **accepted)) -%}
    {%- endfor -%}
    {%- do print(tojson({
        'verdict': plan.verdict.word,
        'reason': plan.verdict.reason,
        'findings': findings,
        'not_judged': [],
        'summary': {
            'run_id': plan.run_id, 'model': request.node.unique_id, 'relation': request.relation | string, 'column': request.column,
            'grain': request.grain | string, 'timezone': request.timezone, 'start': plan.bounds[0] | string,
                'end': plan.bounds[-1] | string,
            'units': plan.units, 'branch': plan.branch, 'read': plan.read, 'cursor': plan.cursor, 'live_edge': plan.live_edge,
                'estimate': plan.estimate,
            'rows_in_window': plan.existing.window, 'rows_without_partition': plan.existing.without_partition,
            'needless_accepts': backfill_safety._needless_accepts(plan),
            'resumes': plan.resumed is not none, 'sql': backfill_safety._window_sql(plan) if plan.read == 'once' else plan.sample_sql,
        },
    })) -%}
{% endmacro %}
