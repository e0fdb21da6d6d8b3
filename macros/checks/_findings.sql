{#- The six checks over a plan, in order; each is a function from the plan to findings. -#}
{% macro _findings(plan) %}
    {%- set findings = [] -%}
    {%- do findings.extend(backfill_safety._check_bounded(plan)) -%}
    {%- do findings.extend(backfill_safety._check_idempotent(plan)) -%}
    {%- if plan.shared or not backfill_safety._holds_database_alone() -%}
        {%- do findings.extend(backfill_safety._check_isolated(plan)) -%}
    {%- endif -%}
    {%- do findings.extend(backfill_safety._check_watermark(plan)) -%}
    {%- do findings.extend(backfill_safety._check_cost(plan)) -%}
    {%- do findings.extend(backfill_safety._check_reversible(plan)) -%}
    {%- if plan.request.accept -%} {%- do backfill_safety._mark_accepted(findings, plan.request.accept) -%} {%- endif -%}
    {%- do return(findings | sort(attribute='code') | sort(attribute='rank')) -%}
{% endmacro %}


{% macro _mark_accepted(findings, accept) %}
    {%- for finding in findings if finding.severity == 'block' and finding.code in accept -%}
        {%- do finding.update({'accepted': accept[finding.code]}) -%}
    {%- endfor -%}
{% endmacro %}


{#- Codes that are accepted and block nothing in this plan. BF211 and BF505 may yet be met while it runs. -#}
{% macro _needless_accepts(plan) %}
    {%- set met = plan.findings | selectattr('accepted', 'defined') | map(attribute='code') | list + ['BF211', 'BF505'] -%}
    {%- do return(plan.request.accept.keys() | reject('in', met) | sort) -%}
{% endmacro %}


{#- One thing a check has to say. curable: changing how the run is done cures it. -#}
{% macro _finding(code, severity, message, alternative, curable=true) %}
    {%- do return({
        'code': code,
        'check': code[2] | int,
        'severity': severity,
        'rank': {'block': 0, 'warn': 1, 'info': 2}[severity],
        'message': message,
        'alternative': alternative,
        'curable': curable,
    }) -%}
{% endmacro %}


{#- {word, reason}: the word of the verdict and one line that names the single biggest reason. -#}
{% macro _verdict(plan, findings) %}
    {%- set blocks = findings | selectattr('severity', 'equalto', 'block') | selectattr('accepted', 'undefined') | list -%}
    {%- if not blocks -%} {%- do return({'word': 'SAFE TO RUN', 'reason': backfill_safety._safe_words(plan, findings)}) -%} {%- endif -%}
    {%- set hopeless = blocks | selectattr('curable', 'equalto', false) | list -%}
    {%- set biggest = (hopeless or blocks)[0] -%}
    {%- do return({'word': 'BLOCK' if hopeless else 'RESTRUCTURE FIRST', 'reason': biggest.code ~ ': ' ~ biggest.message}) -%}
{% endmacro %}


{#- Why it is safe to run; where block findings were accepted, which. -#}
{% macro _safe_words(plan, findings) %}
    {%- set has_transactions = backfill_safety._has_transactions() -%}
    {%- set is_single = has_transactions and plan.units == 1 -%}
    {%- set way = 'one unit, replaced in one transaction' if is_single else backfill_safety._grouped(plan.units) ~ ' bounded '
        ~ backfill_safety._unit_word(plan.request, plan.units) ~ (', replaced' if has_transactions else ', overwritten') ~ ' one by one' -%}
    {%- set accepted = findings | selectattr('accepted', 'defined') | map(attribute='code') | unique | join(', ') -%}
    {%- if accepted -%} {%- set why = '; accepted: ' ~ accepted -%}
    {%- elif plan.shared or not has_transactions -%}
        {%- set why = '; its schedule is said to be paused, and no more than that keeps other writers out' -%}
    {%- elif is_single -%} {%- set why = ': a plain idempotent replace' -%}
    {%- elif backfill_safety._holds_database_alone() -%} {%- set why = '; no one else can write them meanwhile' -%}
    {%- else -%} {%- set why = '; a lease keeps other writers out' -%}
    {%- endif -%}
    {%- do return(way ~ why ~ '.') -%}
{% endmacro %}
