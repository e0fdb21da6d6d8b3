{#- How a worker comes to a run and leaves it. One worker at a time passes the gate: the first makes the run, whole, while the
    others wait; each that comes later joins; the last to leave ends it. -#}

{#- Waits for the gate, before anything is planned: whoever has it plans, and makes or joins the run. A session that dies frees it. -#}
{% macro _enter_gate(run_id) %}
    {%- set locks = backfill_safety._worker_locks(backfill_safety._workers_of(run_id)) -%}
    {%- set at = namespace(inside=false) -%}
    {%- for _ in backfill_safety._times(5000) if not at.inside -%}
        {%- set at.inside = backfill_safety._fetch(locks.enter)[0][0] -%}
        {%- if not at.inside -%}
            {%- if loop.index == 20 -%}
                {%- do print('waits     while another worker of run ' ~ run_id ~ ' makes or joins it') -%}
            {%- endif -%}
            {%- do backfill_safety._rest(0.1 if loop.index < 100 else (1 if loop.index < 1000 else 10)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not at.inside -%}
        {%- do backfill_safety._refuse('another worker of run ' ~ run_id ~ ' has been making it for ten hours; see pg_stat_activity') -%}
    {%- endif -%}
{% endmacro %}


{% macro _workers_of(run_id) %}
    {%- do return('run ' ~ run_id) -%}
{% endmacro %}


{#- Inside of the gate: the run is opened where no worker of it lives, else joined. -#}
{% macro _join_run(plan) %}
    {%- set relation = plan.request.relation -%}
    {%- do plan.update({'holder': backfill_safety._workers_of(plan.run_id)}) -%}
    {%- set locks = backfill_safety._worker_locks(plan.holder) -%}
    {%- do backfill_safety._end_transaction() -%}
    {%- set alone = backfill_safety._run(['begin', locks.alone])[0][0] -%}
    {%- do backfill_safety._run(['rollback']) -%}
    {%- if alone -%}
        {%- do backfill_safety._begin_run(plan) -%}
        {%- do backfill_safety._run_hooks(plan, 'pre') -%}
        {%- if plan.read == 'once' -%} {%- do backfill_safety._read_once(plan) -%} {%- endif -%}
        {%- do backfill_safety._run([backfill_safety._engine('_begin_sql')()] + backfill_safety._reopen_units_sql(plan) + ['commit']) -%}
    {%- else -%}
        {%- set holder = backfill_safety._lease_holder(relation) -%}
        {%- if plan.resumed is none or plan.resumed.state != 'running' or holder is none or holder[0] != plan.holder -%}
            {%- do backfill_safety._refuse('the workers of run ' ~ plan.run_id ~ ' are just ending; ask again in a moment') -%}
        {%- endif -%}
        {%- do backfill_safety._run(['begin'] + backfill_safety._engine('_show_alive_sql')(plan.holder) + ['commit']) -%}
        {%- if plan.read == 'once' -%} {%- do plan.update({'seen': backfill_safety._seen_checksums(plan)}) -%} {%- endif -%}
    {%- endif -%}
    {%- do backfill_safety._fetch(locks.pass) -%}
{% endmacro %}


{#- The last worker ends the run as a single one would; the others say what they did. Who stopped early ends with an error. -#}
{% macro _leave_run(plan, tally) %}
    {%- set request = plan.request -%}
    {%- set locks = backfill_safety._worker_locks(plan.holder) -%}
    {%- do backfill_safety._enter_gate(plan.run_id) -%}
    {%- set alone = backfill_safety._run(['begin', locks.alone])[0][0] -%}
    {%- do backfill_safety._run(['rollback']) -%}
    {%- set deferred = backfill_safety._load_units(request.relation, plan.run_id, "state = 'deferred'") | map(attribute='name') | list -%}
    {%- if alone -%}
        {%- set done, before, after = backfill_safety._done_by_all(plan) -%}
        {%- do tally.update({'done': done, 'rows_before': before, 'rows_after': after, 'deferred': deferred,
            'gained_keys': request.key_columns | length}) -%}
        {%- if tally.stopped is none and not deferred -%} {%- do backfill_safety._run_hooks(plan, 'post') -%} {%- endif -%}
        {%- do backfill_safety._end_run(plan, tally) -%}
        {%- do return(none) -%}
    {%- endif -%}
    {%- do backfill_safety._run([locks.leave, locks.pass]) -%}
    {%- do print('') -%}
    {%- do print('worker    ' ~ request.worker ~ ' has done ' ~ tally.mine ~ ' ' ~ backfill_safety._unit_word(request, tally.mine) ~ ' in '
        ~ '%.1f s' % backfill_safety._seconds_since(tally.began) ~ '; other workers of run ' ~ plan.run_id ~ ' go on and end it') -%}
    {%- if tally.stopped is not none or deferred -%}
        {%- do backfill_safety._refuse('worker ' ~ request.worker ~ ' of run ' ~ plan.run_id ~ ' has stopped; '
            ~ (tally.stopped or deferred | length ~ ' deferred (' ~ backfill_safety._name_list(deferred)
                ~ ') until the live run has caught up')) -%}
    {%- endif -%}
{% endmacro %}
