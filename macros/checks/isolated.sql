{#- Check 3: can the live run and the backfill never write the same partition at once? -#}
{% macro _check_isolated(plan) %}
    {%- set findings = [] -%}
    {%- set request = plan.request -%}
    {%- if backfill_safety._holds_database_alone() -%} {%- do return(findings) -%} {%- endif -%}
    {%- if request.live == 'running' and not backfill_safety._is_guarded(request.node) -%}
        {%- do findings.append(backfill_safety._finding(
            'BF304', 'block', 'the live run of ' ~ request.node.name ~ ' may write into this window while it is replaced',
            'pause the schedule and write live: paused' if request.node.config.get('incremental_strategy') == 'microbatch'
                else 'add the guard hooks (live_run_begins, live_run_ends), or pause the schedule and write live: paused'
        )) -%}
    {%- endif -%}
    {%- do return(findings) -%}
{% endmacro %}


{#- Whether the model's own hooks make its live run honour a running backfill: both of them, and inside of the transaction
    that writes. dbt runs a microbatch model's hooks in its first and its last batch alone, so they guard none between. -#}
{% macro _is_guarded(node) %}
    {%- if node.config.get('incremental_strategy') == 'microbatch' -%} {%- do return(false) -%} {%- endif -%}
    {%- set texts = [] -%}
    {%- for hook in (node.config.get('pre-hook') or []) + (node.config.get('post-hook') or []) -%}
        {%- if hook is not mapping or hook.get('transaction', true) -%} {%- do texts.append(hook | string) -%} {%- endif -%}
    {%- endfor -%}
    {%- set text = texts | join -%}
    {%- do return('live_run_begins' in text and 'live_run_ends' in text) -%}
{% endmacro %}
