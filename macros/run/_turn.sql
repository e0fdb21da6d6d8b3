{#- Ends the last commit and begins the next transaction, in turn with the live run where that writes as well.
    {ok, statements}: what is still to be sent in front of the work; not ok where no turn could be had for as long as turn_seconds says. -#}
{% macro _turn(plan, tail) %}
    {%- set try_turn = backfill_safety._engine('_try_turn_sql')(plan.request.relation, plan.get('lock_wait', '10s')) -%}
    {%- if try_turn is none -%} {%- do return({'ok': true, 'statements': tail + ['begin']}) -%} {%- endif -%}
    {%- set at = namespace(tail=tail, got=false) -%}
    {%- for _ in range(backfill_safety._turn_tries()) if not at.got -%}
        {%- set at.got = backfill_safety._run(at.tail + [backfill_safety._engine('_begin_sql')(), try_turn])[0][0] -%}
        {%- set at.tail = [] -%}
        {%- if not at.got -%}
            {%- do backfill_safety._run(['rollback']) -%}
            {%- do backfill_safety._rest(0.5) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return({'ok': at.got, 'statements': []}) -%}
{% endmacro %}


{#- How long a turn is waited for: two minutes, unless the project says otherwise. -#}
{% macro _turn_seconds() %}
    {%- set seconds = (var('backfill_safety', {}) or {}).get('turn_seconds', 120) -%}
    {%- if seconds is not number or seconds < 1 -%}
        {%- do backfill_safety._refuse("turn_seconds of the var backfill_safety is '" ~ seconds ~ "'; write seconds, such as 120") -%}
    {%- endif -%}
    {%- do return(seconds) -%}
{% endmacro %}


{#- It is tried for twice a second. -#}
{% macro _turn_tries() %}
    {%- do return((2 * backfill_safety._turn_seconds()) | int) -%}
{% endmacro %}


{% macro _held_its_turn() %}
    {%- set seconds = backfill_safety._turn_seconds() -%}
    {%- do return('has held its turn for ' ~ ('two minutes' if seconds == 120 else seconds ~ ' s')) -%}
{% endmacro %}
