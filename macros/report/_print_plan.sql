{#- The plan as people read it, before the first write. -#}
{% macro _print_plan(plan) %}
    {%- set request = plan.request -%}
    {%- set label = request.node.name ~ ' → ' ~ (request.relation | string | replace('"', '')) -%}
    {%- do print('backfill  ' ~ backfill_safety._padded(label, 62) ~ '  ' ~ target.type ~ ', target ' ~ target.name
        ~ (', as ' ~ target.get('user') if target.get('user') else '')) -%}
    {%- do print('window    ' ~ backfill_safety._window_words(plan)) -%}
    {%- do print('rows      ' ~ backfill_safety._source_words(plan)) -%}
    {%- do print('reads     ' ~ backfill_safety._cost_words(plan)) -%}
    {%- do print('cursor    ' ~ backfill_safety._cursor_words(plan)) -%}
    {%- for line in backfill_safety._remarks(plan) -%} {%- do print(line) -%} {%- endfor -%}
    {%- do backfill_safety._print_sql(plan) -%}
    {%- do print('') -%}
    {%- if plan.findings -%} {%- do backfill_safety._print_findings(plan.findings) -%} {%- endif -%}
    {%- do print('Verdict: ' ~ plan.verdict.word ~ ' — ' ~ plan.verdict.reason) -%}
    {%- do print('') -%}
{% endmacro %}


{% macro _window_words(plan) %}
    {%- set request = plan.request -%}
    {%- set zone = '' -%}
    {%- if request.grain == 'value' -%} {%- set window = backfill_safety._name_list(plan.bounds) -%}
    {%- elif request.grain is number -%} {%- set window = '[' ~ plan.bounds[0] ~ ', ' ~ plan.bounds[-1] ~ ')' -%}
    {%- else -%}
        {%- set zone = ', ' ~ request.timezone -%}
        {%- set window = backfill_safety._unit_name(plan.bounds[0], request) ~ ' through '
            ~ backfill_safety._unit_name(plan.bounds[plan.slots - 1], request) -%}
    {%- endif -%}
    {#- the predicate begins with the ' and ' that joins it to a unit's own -#}
    {%- set narrowed = ', narrowed by where: ' ~ request.where_sql[5:] if request.where_sql else '' -%}
    {%- do return(window ~ ': ' ~ backfill_safety._grouped(plan.units) ~ ' ' ~ backfill_safety._unit_word(request, plan.units) ~ ' of '
        ~ request.column ~ ' (' ~ request.column_type | lower ~ ')' ~ zone ~ narrowed) -%}
{% endmacro %}


{% macro _source_words(plan) %}
    {%- set form = 'from the model as ' ~ ('a full refresh would build it' if plan.branch == 'first'
        else 'its live run would have built them') ~ (', oldest first' if backfill_safety._goes_in_order(plan) else '') -%}
    {%- if plan.inputs and plan.read == 'per_unit' -%}
        {%- set parts = [] -%}
        {%- for input in plan.inputs.values() -%} {%- do parts.append(input.name ~ ' by ' ~ input.column) -%} {%- endfor -%}
        {%- do return(form ~ '; each ' ~ backfill_safety._unit_word(plan.request, 1) ~ ' read from ' ~ parts | join(', ')) -%}
    {%- endif -%}
    {%- do return(form ~ ('; read once, then committed unit by unit' if plan.read == 'once' else '; each unit computed by itself')) -%}
{% endmacro %}


{% macro _cost_words(plan) %}
    {%- set estimate = plan.estimate -%}
    {%- if estimate is none -%} {%- set reads = 'unknown' -%}
    {%- elif estimate.of is not defined -%} {%- set reads = backfill_safety._told_words(estimate) -%}
    {%- else -%}
        {%- set share = ' (' ~ (100 * estimate.rows / estimate.of) | round | int ~ ' %)' if estimate.of else '' -%}
        {%- set reads = 'about ' ~ backfill_safety._rounded(estimate.rows) ~ ' of ' ~ backfill_safety._rounded(estimate.of) ~ ' rows'
            ~ share -%}
    {%- endif -%}
    {%- if estimate.proof -%}
        {%- set reads = reads ~ ', and ' ~ backfill_safety._rounded(estimate.proof) ~ ' once to prove inputs' -%}
    {%- endif -%}
    {%- set commit = 1 if backfill_safety._commits_alone(plan) else plan.request.units_per_commit -%}
    {%- set pace = 'as many units a commit as fit' if commit == 'auto' else (
        'one ' ~ backfill_safety._unit_word(plan.request, 1) if commit | int == 1 else commit ~ ' units') ~ ' a commit' -%}
    {%- do return(reads ~ '; replaces about ' ~ backfill_safety._rows_word(plan.existing.window) ~ ', ' ~ pace) -%}
{% endmacro %}


{#- What an engine's EXPLAIN, or its metadata, tells in all. -#}
{% macro _told_words(estimate) %}
    {%- set parts = [] -%}
    {%- if estimate.bytes is defined -%} {%- do parts.append(backfill_safety._bytes_word(estimate.bytes)) -%} {%- endif -%}
    {%- if estimate.rows is defined -%} {%- do parts.append(backfill_safety._rounded(estimate.rows) ~ ' rows') -%} {%- endif -%}
    {%- if estimate.partitions is defined -%}
        {%- do parts.append(backfill_safety._grouped(estimate.partitions) ~ ' micro-partitions') -%}
    {%- endif -%}
    {%- do return('about ' ~ parts | join(', ')) -%}
{% endmacro %}


{% macro _cursor_words(plan) %}
    {%- set parts = [] -%}
    {%- for mark in plan.cursor -%}
        {%- do parts.append('max(' ~ mark.column ~ ') = ' ~ (mark.value or 'nothing yet') ~ ' stays') -%}
    {%- endfor -%}
    {%- set undo = 'undo: backup of ' ~ backfill_safety._grouped(plan.units) ~ ' '
        ~ backfill_safety._unit_word(plan.request, plan.units) ~ ' is kept' if plan.request.backup else 'undo: none, no backup is kept' -%}
    {%- do return((parts | join(', ') or 'none found in the live run') ~ '      ' ~ undo) -%}
{% endmacro %}


{#- What else a person should know, a line each. -#}
{% macro _remarks(plan) %}
    {%- set lines = [] -%}
    {%- if plan.resumed -%}
        {%- do lines.append('resumes   run ' ~ plan.run_id ~ ', begun with the same code; finished units are not redone') -%}
    {%- endif -%}
    {%- if not backfill_safety._has_transactions() -%} {%- do lines.extend(backfill_safety._promise_remarks(plan.request)) -%} {%- endif -%}
    {%- if plan.live_edge and plan.live_edge.ends_before -%}
        {%- do lines.append('live      the live run writes ' ~ plan.request.column ~ ' from ' ~ plan.live_edge.text
            ~ ' on; this window ends before that') -%}
    {%- endif -%}
    {%- if plan.skipped -%} {%- do lines.append(backfill_safety._skips_words(plan)) -%} {%- endif -%}
    {%- if plan.existing.without_partition -%}
        {%- do lines.append('leaves    ' ~ backfill_safety._rows_word(plan.existing.without_partition) ~ ' with a NULL '
            ~ plan.request.column ~ ' alone: they belong to no unit') -%}
    {%- endif -%}
    {%- for code in (backfill_safety._needless_accepts(plan) if plan.request.accept else []) -%}
        {%- do lines.append('accepts   ' ~ code ~ ' without need: it blocks nothing in this plan') -%}
    {%- endfor -%}
    {%- for hook in plan.hooks -%}
        {%- do lines.append(('runs      ' if hook.runs else 'not run   ') ~ hook.kind ~ '-hook: ' ~ backfill_safety._shorten(hook.sql)) -%}
    {%- endfor -%}
    {%- for difference in plan.differences if not difference.filter -%}
        {%- do lines.append('differs   first: ' ~ backfill_safety._shorten(difference.first)) -%}
        {%- do lines.append('           live: ' ~ backfill_safety._shorten(difference.live)) -%}
    {%- endfor -%}
    {%- do return(lines) -%}
{% endmacro %}


{% macro _promise_remarks(request) %}
    {%- set at_once = backfill_safety._overwrites_at_once() -%}
    {%- do return([
        'promises  P3: the ' ~ backfill_safety._unit_word(request, 1)
            ~ (' under way when a run is killed holds its old rows or its new ones, and may be redone; others are not' if at_once
                else ' under way when a run is killed is half-written until it is resumed, and is redone; others are not'),
        '          P5: ' ~ target.type ~ (' has no lock that a run could hold' if at_once else ' has no transactions and no locks')
            ~ '; live: paused is all that keeps other writers out',
    ]) -%}
{% endmacro %}


{% macro _skips_words(plan) %}
    {%- set names = [] -%}
    {%- for position in plan.skipped | sort -%}
        {%- do names.append(backfill_safety._unit_name(plan.bounds[position], plan.request)) -%}
    {%- endfor -%}
    {%- do return('skips     ' ~ names | length ~ ' ' ~ backfill_safety._unit_word(plan.request, names | length)
        ~ ' that skip_units names: ' ~ backfill_safety._name_list(names)) -%}
{% endmacro %}


{#- The SQL of the first unit (or of the whole window, where it is read once), as it will run. -#}
{% macro _print_sql(plan) %}
    {%- set title = 'sql       of the whole window' if plan.read == 'once' else 'sql       of '
        ~ backfill_safety._unit_name(plan.bounds[0], plan.request) ~ ', the other units alike' -%}
    {%- set sql = backfill_safety._window_sql(plan) if plan.read == 'once' else plan.sample_sql -%}
    {%- do print(title) -%}
    {%- for line in (plan.rendered.header ~ sql).splitlines() if line.strip() -%} {%- do print('          ' ~ line) -%} {%- endfor -%}
{% endmacro %}


{% macro _print_findings(findings) %}
    {%- set names = ['Bounded', 'Idempotency', 'Isolation', 'Watermark', 'Cost', 'Reversibility'] -%}
    {%- set words = {'block': '🔴 Block', 'warn': '🟡 Warn', 'info': '🔵 Info'} -%}
    {%- do print('| # | Severity | Check | Finding | Safe alternative |') -%}
    {%- do print('|---|----------|-------|---------|------------------|') -%}
    {%- for finding in findings -%}
        {%- do print(
            '| ' ~ loop.index ~ ' | ' ~ ('⚪ Accepted' if finding.accepted is defined else words[finding.severity]) ~ ' | '
            ~ names[finding.check - 1] ~ ' | ' ~ finding.code ~ ': ' ~ finding.message | replace('|', '\\|') ~ ' | '
            ~ ('accepted: ' ~ finding.accepted if finding.accepted is defined else finding.alternative) | replace('|', '\\|') ~ ' |'
        ) -%}
    {%- endfor -%}
    {%- do print('') -%}
{% endmacro %}
