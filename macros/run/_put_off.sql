{#- A lock that a commit does not get within its bounded wait is given up, with all that the commit did, and the units are tried
    again later: in between others go on, here and elsewhere. Bounded: after six tries the run stops, and can be resumed. -#}
{% macro _may_try_again(tries, group) %}
    {%- set try = tries.setdefault(group[0], {'n': 0, 'put_off': false}) -%}
    {%- do try.update({'n': try.n + 1, 'put_off': true}) -%}
    {%- do return(try.n < 6) -%}
{% endmacro %}


{% macro _say_put_off(plan, tally, position, verdict) %}
    {%- do backfill_safety._line(tally, backfill_safety._padded_left('–', 9) ~ '  '
        ~ backfill_safety._padded(backfill_safety._unit_name(plan.bounds[position], plan.request), 18) ~ ' put off: ' ~ verdict.message) -%}
{% endmacro %}


{#- Longer and longer, up to some seconds: whoever has the lock may need them. -#}
{% macro _rest_before(tries, group) %}
    {%- do backfill_safety._rest(0.1 * 2 ** tries[group[0]].n) -%}
{% endmacro %}


{#- The verdict once a unit has been tried for often enough. -#}
{% macro _given_up(verdict) %}
    {%- do return({'ok': false, 'state': 'planned',
        'message': 'was not written: six times a lock was not had (' ~ verdict.message
            ~ '); see pg_locks for who has it, then ask again'}) -%}
{% endmacro %}


{#- The same for claimed units: this worker leaves them to others until it finds nothing else. -#}
{% macro _put_off_claimed(plan, tally, tries, group, verdict) %}
    {%- if backfill_safety._may_try_again(tries, group) -%}
        {%- do backfill_safety._say_put_off(plan, tally, group[0], verdict) -%}
        {%- do backfill_safety._rest_before(tries, group) -%}
    {%- else -%}
        {%- do backfill_safety._tally_refusal(plan, tally, group[0], backfill_safety._given_up(verdict)) -%}
    {%- endif -%}
{% endmacro %}


{% macro _try_again(tries) %}
    {%- for try in tries.values() -%} {%- do try.update({'put_off': false}) -%} {%- endfor -%}
{% endmacro %}
