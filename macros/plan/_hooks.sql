{#- The model's hooks as the run treats them: [{kind, sql, runs, writes_state}]. Rendered only where they will run. -#}
{% macro _plan_hooks(plan) %}
    {%- set node = plan.request.node -%}
    {%- set hooks = [] -%}
    {%- for kind in ['pre', 'post'] -%}
        {%- set runs = plan.request.hooks in [kind, 'all'] -%}
        {%- for hook in node.config.get(kind ~ '-hook') or [] -%}
            {%- set text = hook.sql if hook is mapping else hook -%}
            {%- if 'live_run_begins' not in text and 'live_run_ends' not in text -%}
                {%- set sql = backfill_safety._render_plan_text(plan, text) if runs else text -%}
                {%- do hooks.append({'kind': kind, 'sql': sql, 'runs': runs, 'writes_state': runs
                    and backfill_safety._writes_state(sql)}) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(hooks) -%}
{% endmacro %}


{% macro _render_plan_text(plan, text) %}
    {%- set request = plan.request -%}
    {%- do return(backfill_safety._render_model(dict(request.node, raw_code=text), {
        'request': request, 'branch': 'first', 'inputs': {}, 'vars': {}, 'pinned': plan.pinned, 'plain_this': true,
        'unit': backfill_safety._unit_ends(plan, 0, 0),
    }).sql) -%}
{% endmacro %}


{#- A statement that writes rows somewhere: what a live job keeps its progress in. -#}
{% macro _writes_state(sql) %}
    {%- set writes = '(?i)\\b(insert\\s+into|update\\s+\\S+\\s+set|merge\\s+into|delete\\s+from|replace\\s+into)\\b' -%}
    {%- do return(modules.re.search(writes, sql) is not none) -%}
{% endmacro %}
