{#- Check 3: can the live run and the backfill never write the same partition at once? Where one process holds the database nobody asks. -#}
{% macro _check_isolated(plan) %}
    {%- set findings = [] -%}
    {%- set request = plan.request -%}
    {%- if plan.shared -%} {%- do return(backfill_safety._shared_database_findings(plan)) -%} {%- endif -%}
    {%- if request.live == 'running' and not backfill_safety._is_guarded(request.node)
        and not (plan.live_edge and plan.live_edge.ends_before) -%}
        {%- do findings.append(backfill_safety._live_run_finding(plan)) -%}
    {%- endif -%}
    {%- if not backfill_safety._has_transactions() and not backfill_safety._overwrites_at_once() -%}
        {%- do findings.extend(backfill_safety._half_written_findings(plan)) -%}
    {%- endif -%}
    {%- do return(findings) -%}
{% endmacro %}


{#- There neither a lease nor the file keeps other writers out, and nothing of it has been tried. -#}
{% macro _shared_database_findings(plan) %}
    {%- set what = plan.request.relation.database ~ ' is a database of type ' ~ plan.shared -%}
    {%- set findings = [backfill_safety._finding('BF110', 'warn', what ~ ', on which this has never run',
        'try one unit on a copy of the table first, and compare')] -%}
    {%- if plan.request.live == 'running' -%}
        {%- do findings.append(backfill_safety._finding(
            'BF304', 'block', what ~ ', to which others may write while this runs, the live run of ' ~ plan.request.node.name
                ~ ' among them',
            'pause the schedule, let no other backfill run, and write live: paused'
        )) -%}
    {%- endif -%}
    {%- do return(findings) -%}
{% endmacro %}


{#- BF304: what the live run may write, and every way out that there is. -#}
{% macro _live_run_finding(plan) %}
    {%- set request, edge = plan.request, plan.live_edge -%}
    {%- set ways = ['pause the schedule and write live: paused'] -%}
    {%- if backfill_safety._can_take_turns() and not request.microbatch -%}
        {%- do ways.insert(0, 'add the guard hooks (live_run_begins, live_run_ends)') -%}
    {%- endif -%}
    {%- set does = 'may write into this window while it is replaced' -%}
    {%- if edge -%}
        {%- set does = 'writes ' ~ request.column ~ ' from ' ~ edge.text ~ ' on, which this window reaches' -%}
        {%- do ways.insert(0, 'end the window before that') -%}
    {%- endif -%}
    {%- do return(backfill_safety._finding('BF304', 'block', 'the live run of ' ~ request.node.name ~ ' ' ~ does, ways | join(', or '))) -%}
{% endmacro %}


{#- Whether a live run and a backfill can take turns, by the hooks: only where a lock ends with the transaction of whoever has it. -#}
{% macro _can_take_turns() %}
    {%- do return(backfill_safety._engine('_can_take_turns')()) -%}
{% endmacro %}


{% macro default___can_take_turns() %}
    {%- do return(false) -%}
{% endmacro %}


{#- By the advisory lock of postgres___try_turn_sql. -#}
{% macro postgres___can_take_turns() %}
    {%- do return(true) -%}
{% endmacro %}


{#- BF305: what readers may see, and what a killed run has left. -#}
{% macro _half_written_findings(plan) %}
    {%- set relation = plan.request.relation -%}
    {%- set findings = [backfill_safety._finding(
        'BF305', 'warn', 'readers can see a ' ~ backfill_safety._unit_word(plan.request, 1)
            ~ ' empty or half-written while it is replaced: ' ~ target.type ~ ' has no transactions',
        'let nobody read the window meanwhile'
    )] -%}
    {%- for run_id, name in (backfill_safety._fetch(
        "select run_id, name from " ~ backfill_safety._ledger(relation, 'units')
        ~ " where state in ('running', 'rolling back') and run_id <> " ~ backfill_safety._quoted(plan.run_id)
        ~ ' and run_id in (select run_id from ' ~ backfill_safety._ledger(relation, 'runs')
        ~ ' where relation = ' ~ backfill_safety._quoted(relation) ~ ') order by run_id, unit_no limit 1'
    ) if backfill_safety._ledger_exists(relation) else []) -%}
        {%- do findings.append(backfill_safety._finding(
            'BF305', 'block', name ~ ' may be half-written: run ' ~ run_id
                ~ ' was killed while it replaced it, and its backup has the old rows',
            'finish that run first (its window and run_id: ' ~ run_id ~ '), or undo it: rollback_backfill'
        )) -%}
    {%- endfor -%}
    {%- do return(findings) -%}
{% endmacro %}


{#- Whether the model's own hooks make its live run honour a running backfill: both of them, and inside of the transaction
    that writes. dbt runs a microbatch model's hooks in its first and its last batch alone, so they guard none between. -#}
{% macro _is_guarded(node) %}
    {%- if not backfill_safety._can_take_turns() or node.config.get('incremental_strategy') == 'microbatch' -%}
        {%- do return(false) -%}
    {%- endif -%}
    {#- there a lock ends with the statement that takes it -#}
    {%- if target.get('autocommit') -%} {%- do return(false) -%} {%- endif -%}
    {%- set before = backfill_safety._texts_of_hooks(node.config.get('pre-hook')) -%}
    {%- do return('live_run_begins' in before and 'live_run_ends' in backfill_safety._texts_of_hooks(node.config.get('post-hook'))
        and not modules.re.search('(?im)(?:^|;)\\s*(?:commit|end|rollback)\\b', before)) -%}
{% endmacro %}


{#- Of those inside of the model's transaction, one below the other. -#}
{% macro _texts_of_hooks(hooks) %}
    {%- set texts = [] -%}
    {%- for hook in hooks or [] if hook is not mapping or hook.get('transaction', true) -%}
        {%- do texts.append((hook.sql if hook is mapping else hook) | string) -%}
    {%- endfor -%}
    {%- do return(texts | join('\n')) -%}
{% endmacro %}
