{#- Check 2: does running a unit again leave exactly the same rows? -#}
{% macro _check_idempotent(plan) %}
    {%- set request = plan.request -%}
    {%- set node = request.node -%}
    {%- set findings = [] -%}
    {%- if plan.units > 1 and backfill_safety._appends(node) -%}
        {%- do findings.append(backfill_safety._appends_finding(node)) -%}
    {%- endif -%}
    {%- if backfill_safety._proves_inputs(plan) -%} {%- do findings.extend(backfill_safety._input_findings(plan)) -%} {%- endif -%}
    {%- do findings.extend(backfill_safety._branch_findings(plan)) -%}
    {%- if request.microbatch and backfill_safety._is_unbounded_batch(plan) -%}
        {%- do findings.append(backfill_safety._unbounded_batch_finding(plan)) -%}
    {%- endif -%}
    {%- do return(findings) -%}
{% endmacro %}


{% macro _appends_finding(node) %}
    {%- do return(backfill_safety._finding(
        'BF201', 'info', 'the live run of ' ~ node.name ~ ' appends: run again, it would add its rows again',
            'nothing to do here: this run replaces whole units'
    )) -%}
{% endmacro %}


{% macro _unbounded_batch_finding(plan) %}
    {%- do return(backfill_safety._finding(
        'BF213', 'block', 'no parent of ' ~ plan.request.node.name
            ~ ' is cut to its batch, so each batch of its own run reads, and may insert, all of its parents',
        backfill_safety._how_to_cut(plan)
    )) -%}
{% endmacro %}


{% macro _appends(node) %}
    {%- if node.config.materialized != 'incremental' -%} {%- do return(false) -%} {%- endif -%}
    {%- set strategy = node.config.get('incremental_strategy') -%}
    {%- do return(strategy == 'append' or (strategy in [none, 'merge', 'delete+insert', 'default']
        and not node.config.get('unique_key'))) -%}
{% endmacro %}


{#- Declared inputs that were shown to be too narrow. -#}
{% macro _input_findings(plan) %}
    {%- for unit in plan.sample -%}
        {%- if unit.new != unit.get('unbounded', 0) or unit.new_checksum != unit.get('unbounded_checksum') -%}
            {%- do return([backfill_safety._cut_finding(plan, unit)]) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return([]) -%}
{% endmacro %}


{% macro _cut_finding(plan, unit) %}
    {%- set whole = unit.get('unbounded', 0) -%}
    {%- do return(backfill_safety._finding(
        'BF204', 'block', 'the bounds of inputs cut ' ~ unit.name ~ ': ' ~ backfill_safety._grouped(unit.new) ~ ' rows with them, '
        ~ backfill_safety._grouped(whole) ~ ' without' ~ (', of other content' if unit.new == whole else ''),
        backfill_safety._wider(plan) ~ 'leave inputs out'
    )) -%}
{% endmacro %}


{#- The inputs as they would be written wider, on both sides and twice as far as now; a list of values has nothing to widen. -#}
{% macro _wider(plan) %}
    {%- set grain = plan.request.grain -%}
    {%- if grain == 'value' -%} {%- do return('') -%} {%- endif -%}
    {%- set inputs = [] -%}
    {%- for input in plan.inputs.values() -%}
        {%- set sides = ['column: ' ~ input.column] -%}
        {%- for side in ['lookback', 'lookahead'] -%}
            {%- if grain is number -%} {%- set span = 2 * (input.get(side) or 0) or grain -%}
            {%- else -%}
                {%- set minutes = 2 * (input.get(side).total_seconds() // 60) | int if input.get(side) else 4320 -%}
                {%- set span = minutes // 1440 ~ ' days' if minutes % 1440 == 0 else minutes ~ ' minutes' -%}
            {%- endif -%}
            {%- do sides.append(side ~ ': ' ~ span) -%}
        {%- endfor -%}
        {%- do inputs.append(input.name ~ ': {' ~ sides | join(', ') ~ '}') -%}
    {%- endfor -%}
    {%- do return('widen them (inputs: {' ~ inputs | join(', ') ~ '}), or ') -%}
{% endmacro %}


{#- BF212 where the two branches are different models, BF209 where the model reads its own rows. -#}
{% macro _branch_findings(plan) %}
    {%- set request = plan.request -%}
    {%- set name = request.node.name -%}
    {%- set findings = [] -%}
    {%- set reasons = backfill_safety._branch_reasons(plan) if request.branch is none else [] -%}
    {%- if reasons -%}
        {%- do findings.append(backfill_safety._finding(
            'BF212', 'block', 'which form of ' ~ name ~ ' gives the rows is not known: ' ~ reasons[0],
            'choose branch: first (as a full refresh) or branch: live (as the scheduled run)'
        )) -%}
    {%- endif -%}
    {%- if plan.reads_itself -%}
        {%- do findings.append(backfill_safety._finding(
            'BF209', 'warn', name ~ ' reads its own earlier rows: units after the window keep what they took from the old ones',
            'run the window through to the present'
        )) -%}
    {%- endif -%}
    {%- do return(findings) -%}
{% endmacro %}


{#- Why a first build would not give the rows that the live run gives, where nobody has chosen. -#}
{% macro _branch_reasons(plan) %}
    {%- set reasons = [] -%}
    {%- if plan.reads_itself -%} {%- do reasons.append('its first build reads its own table') -%} {%- endif -%}
    {%- for difference in plan.differences if not difference.filter -%}
        {%- do reasons.append('a first build has "' ~ backfill_safety._shorten(difference.first) ~ '" where the live run has "'
            ~ backfill_safety._shorten(difference.live) ~ '"') -%}
    {%- endfor -%}
    {%- set plain = backfill_safety._plain_lines(plan.first.bare) | join(' ') | lower -%}
    {%- set limit = modules.re.search('\\blimit (?!1\\b)\\d+|\\btablesample\\b|\\busing sample\\b', plain) -%}
    {%- if limit -%} {%- do reasons.append('its SQL keeps only some rows (' ~ limit.group(0) ~ ')') -%} {%- endif -%}
    {%- set code = plan.request.node.raw_code -%}
    {%- set switch = backfill_safety._switch(code) if 'target' in code or 'flags' in code else none -%}
    {%- if switch -%} {%- do reasons.append('its SQL hangs on ' ~ switch ~ ', and this is target ' ~ target.name) -%} {%- endif -%}
    {%- do return(reasons) -%}
{% endmacro %}


{#- 'target' or 'flags', where a tag of the template decides by it; none where it only names a schema or a setting of the model. -#}
{% macro _switch(raw_code) %}
    {%- for tag in modules.re.findall('(?s)[{][%{](?!-?\\s*config\\b)(.*?)[}%][}]', raw_code) -%}
        {%- set found = modules.re.search('\\b(target|flags)\\s*[.\\[]', tag) -%}
        {%- set decides = modules.re.search('\\b(?:el)?if\\b|[=!]=|\\bin\\b', tag) -%}
        {%- if found and decides -%} {%- do return(found.group(1)) -%} {%- endif -%}
    {%- endfor -%}
    {%- do return(none) -%}
{% endmacro %}


{% macro _shorten(text) %}
    {%- set bare = text | replace('\n', ' ') -%}
    {%- do return((bare[:77] ~ '…' if bare | length > 80 else bare) or 'nothing') -%}
{% endmacro %}
