{#- Check 3: can the live run and the backfill never write the same partition at once? -#}
{% macro _check_isolated(plan) %}
    {%- set findings = [] -%}
    {%- set request = plan.request -%}
    {%- if backfill_safety._holds_database_alone() -%} {%- do return(findings) -%} {%- endif -%}
    {%- if request.live == 'running' and not backfill_safety._is_guarded(request.node) -%}
        {%- do findings.append(backfill_safety._finding(
            'BF304', 'block', 'the live run of ' ~ request.node.name ~ ' may write into this window while it is replaced',
            'add the guard hooks (live_run_begins, live_run_ends), or pause the schedule and write live: paused'
        )) -%}
    {%- endif -%}
    {%- do return(findings) -%}
{% endmacro %}


{#- Whether the model's own hooks make its live run honour a running backfill. -#}
{% macro _is_guarded(node) %}
    {%- set hooks = (node.config.get('pre-hook') or []) + (node.config.get('post-hook') or []) -%}
    {%- set text = hooks | string -%}
    {%- do return('live_run_begins' in text and 'live_run_ends' in text) -%}
{% endmacro %}
