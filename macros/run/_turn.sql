{#- Ends the last commit and begins the next transaction, in turn with the live run where that writes as well.
    {ok, statements}: what is still to be sent in front of the work; not ok where no turn could be had in two minutes. -#}
{% macro _turn(plan, tail) %}
    {%- set try_turn = backfill_safety._engine('_try_turn_sql')(plan.request.relation, plan.get('lock_wait', '10s')) -%}
    {%- if try_turn is none -%} {%- do return({'ok': true, 'statements': tail + ['begin']}) -%} {%- endif -%}
    {%- set at = namespace(tail=tail, got=false) -%}
    {%- for _ in range(240) if not at.got -%}
        {%- set at.got = backfill_safety._run(at.tail + ['begin', try_turn])[0][0] -%}
        {%- set at.tail = [] -%}
        {%- if not at.got -%}
            {%- do backfill_safety._run(['rollback']) -%}
            {%- do backfill_safety._rest(0.5) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return({'ok': at.got, 'statements': []}) -%}
{% endmacro %}
