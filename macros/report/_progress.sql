{#- One line a commit, printed a few times a second: a line each costs more than a small commit. -#}
{% macro _tally_commit(plan, tally, facts, seconds) %}
    {%- set before = facts | sum(attribute='rows_before') -%}
    {%- set after = facts | sum(attribute='rows_after') -%}
    {%- set keys_before = facts | sum(attribute='keys_before') -%}
    {%- set keys_after = facts | sum(attribute='keys_after') -%}
    {%- set repeated = before - keys_before - (after - keys_after) -%}
    {%- do tally.update({
        'done': tally.done + facts | length,
        'rows_before': tally.rows_before + before,
        'rows_after': tally.rows_after + after,
    }) -%}
    {%- if plan.request.key_columns and (keys_before or keys_after) -%}
        {%- do backfill_safety._tally_gained_keys(tally, facts) -%}
    {%- endif -%}
    {%- set count, more = tally.done ~ '/' ~ tally.total, facts | length - 1 -%}
    {%- set name = backfill_safety._unit_name(plan.bounds[facts[0].position], plan.request) ~ (' +' ~ more if more else '') -%}
    {%- set note = '' -%}
    {%- if repeated > 0 -%} {%- set note = backfill_safety._grouped(repeated) ~ ' duplicates gone' -%}
    {%- elif not more and facts[0].checksum_before == facts[0].checksum_after -%} {%- set note = 'unchanged' -%}
    {%- endif -%}
    {%- set change = '{:,} → {:,} {}'.format(before, after, 'row' if after == 1 else 'rows') -%}
    {%- do tally.held.append('{:>9}  {:18} {:>26}   {:22} {:.2f} s'.format(count, name, change, note, seconds)) -%}
    {%- if facts | sum(attribute='cancel') -%}
        {%- do tally.update({'stopped': 'it was cancelled', 'state': 'cancelled'}) -%}
    {%- elif plan.request.limits | length > 1 -%}
        {%- do backfill_safety._stop_at_limits(plan, tally) -%}
    {%- endif -%}
{% endmacro %}


{#- Keys that a unit did not have before. -#}
{% macro _tally_gained_keys(tally, facts) %}
    {%- for unit in facts -%}
        {%- set gained = unit.keys_after - (unit.keys_before - unit.lost) -%}
        {%- if gained > 0 -%} {%- do tally.update({'gained_keys': tally.gained_keys + gained}) -%} {%- endif -%}
    {%- endfor -%}
{% endmacro %}


{% macro _tally_refusal(plan, tally, position, verdict) %}
    {%- set name = backfill_safety._unit_name(plan.bounds[position], plan.request) -%}
    {%- do backfill_safety._line(tally, backfill_safety._padded_left('–', 9) ~ '  ' ~ backfill_safety._padded(name, 18) ~ ' '
        ~ verdict.state ~ ': ' ~ verdict.message) -%}
    {%- if verdict.state == 'deferred' -%}
        {%- do tally.deferred.append(name) -%}
    {%- else -%}
        {%- do tally.update({
            'stopped': name ~ ' ' ~ verdict.message, 'state': 'incomplete' if verdict.state == 'planned' else 'failed',
            'lost': verdict.get('lost', false),
        }) -%}
    {%- endif -%}
{% endmacro %}


{#- A limit that is reached stops the run cleanly after a commit. -#}
{% macro _stop_at_limits(plan, tally) %}
    {%- set limits = plan.request.limits -%}
    {%- if tally.done >= tally.total -%} {%- do return(none) -%} {%- endif -%}
    {%- if limits.minutes is defined and backfill_safety._seconds_since(tally.began) > 60 * limits.minutes -%}
        {%- do tally.update({'stopped': 'the limit of ' ~ limits.minutes
            ~ ' minutes is reached; ask again to go on', 'state': 'incomplete'}) -%}
    {%- elif limits.rows is defined and tally.rows_after > limits.rows -%}
        {%- do tally.update({'stopped': 'the limit of ' ~ backfill_safety._grouped(limits.rows)
            ~ ' rows is reached; ask again to go on', 'state': 'incomplete'}) -%}
    {%- elif limits.bytes is defined and context.get('backfill_safety_read', {}).get('bytes', 0) > limits.bytes -%}
        {%- do tally.update({'stopped': 'the limit of ' ~ backfill_safety._bytes_word(limits.bytes)
            ~ ' is reached; ask again to go on', 'state': 'incomplete'}) -%}
    {%- endif -%}
{% endmacro %}


{#- Held until the commit that the line speaks of has been made. -#}
{% macro _release(tally) %}
    {%- if tally.held -%}
        {%- do backfill_safety._line(tally, tally.held | join('\n')) -%}
        {%- do tally.update({'held': []}) -%}
    {%- endif -%}
{% endmacro %}


{% macro _line(tally, text) %}
    {%- do tally.lines.append(text) -%}
    {%- set now = backfill_safety._clock() -%}
    {%- if tally.flushed is not defined or (now - tally.flushed).total_seconds() > 0.25 -%}
        {%- do backfill_safety._flush(tally) -%}
        {%- do tally.update({'flushed': now}) -%}
    {%- endif -%}
{% endmacro %}


{% macro _flush(tally) %}
    {%- if tally.lines -%}
        {%- do print(tally.lines | join('\n')) -%}
        {%- do tally.update({'lines': []}) -%}
    {%- endif -%}
{% endmacro %}
