{#- The loop of one of several workers: it claims the next units that nobody works at, does them, and claims again, until none
    is left. Who finds none free waits: a unit whose worker dies becomes free. -#}
{% macro _run_as_worker(plan) %}
    {%- set tally = {'done': 0, 'deferred': [], 'rows_before': 0, 'rows_after': 0, 'gained_keys': 0, 'stopped': none,
        'began': backfill_safety._clock(), 'lines': [], 'held': [], 'mine': 0, 'total': plan.units} -%}
    {%- do backfill_safety._refuse_ordered_units(plan) -%}
    {%- do backfill_safety._join_run(plan) -%}
    {%- do backfill_safety._share_units(plan, tally) -%}
    {%- do backfill_safety._leave_run(plan, tally) -%}
{% endmacro %}


{% macro _share_units(plan, tally) %}
    {%- set request = plan.request -%}
    {%- do plan.update({'script': backfill_safety._commit_script(plan), 'text_type': dbt.type_string(),
        'done_sql': backfill_safety._unit_done_frame(dict(plan, holder=request.worker))}) -%}
    {%- set renewed = backfill_safety._renew_lease_sql(request.relation, plan.holder) -%}
    {%- set at = namespace(tail=[], size=backfill_safety._first_commit_size(plan), alone=0, over=false, without_turn=0, idle=0,
        tries={}) -%}
    {#- two short lists and not a long one: Jinja looks at each element of it, also when all is over -#}
    {%- for _ in backfill_safety._times(1000) if not at.over -%}
        {%- for _ in backfill_safety._times(1000) if not at.over -%}
            {%- do backfill_safety._claim_and_do(plan, tally, at, renewed) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do backfill_safety._flush(tally) -%}
{% endmacro %}


{#- One round of it. `at` keeps what goes from round to round; the end of a commit is sent with the next claim. -#}
{% macro _claim_and_do(plan, tally, at, renewed) %}
    {%- set request = plan.request -%}
    {%- set size = 1 if at.alone > 0 else backfill_safety._commit_size(plan, at.size) -%}
    {%- set began = backfill_safety._clock() -%}
    {%- set claim = backfill_safety._claim(plan, at.tail, size, at.tries) -%}
    {%- set at.tail = [] -%}
    {%- do backfill_safety._release(tally) -%}
    {%- do tally.update({'done': claim.done}) -%}
    {%- do backfill_safety._stop_with_others(plan, tally, claim) -%}
    {%- set at.without_turn = 0 if claim.turn else at.without_turn + 1 -%}
    {%- if tally.stopped is not none or claim.open == 0 -%}
        {%- do backfill_safety._run(['rollback']) -%}
        {%- set at.over = true -%}
    {%- elif not claim.turn or not claim.group -%}
        {%- do backfill_safety._run(['rollback']) -%}
        {%- if at.without_turn >= backfill_safety._turn_tries() -%}
            {%- do tally.update({'stopped': 'the live run ' ~ backfill_safety._held_its_turn() ~ '; ask again', 'state': 'incomplete'}) -%}
        {%- elif not claim.group -%}
            {%- do backfill_safety._try_again(at.tries) -%}
            {%- set at.idle = at.idle + 1 -%}
            {%- if at.idle == 6 -%}
                {%- do backfill_safety._line(tally, 'waits     for ' ~ claim.open ~ ' '
                    ~ backfill_safety._unit_word(request, claim.open) ~ ' that other workers are at') -%}
            {%- endif -%}
        {%- endif -%}
        {%- do backfill_safety._flush(tally) -%}
        {%- do backfill_safety._rest(0.5) -%}
    {%- else -%}
        {%- set verdict = backfill_safety._do_claimed(plan, tally, claim.group) -%}
        {%- set at.alone = at.alone - claim.group | length -%}
        {%- if verdict.ok -%}
            {%- set seconds = backfill_safety._seconds_since(began) -%}
            {%- set at.tail = [backfill_safety._units_done_sql(plan, verdict.facts, seconds), renewed, 'commit'] -%}
            {%- set at.size = backfill_safety._next_size(request, at.size, claim.group | length, seconds, verdict.facts) -%}
            {%- do backfill_safety._tally_commit(plan, tally, verdict.facts, seconds) -%}
            {%- do tally.update({'mine': tally.mine + claim.group | length}) -%}
        {%- elif verdict.state == 'locked' -%}
            {%- do backfill_safety._put_off_claimed(plan, tally, at.tries, claim.group, verdict) -%}
        {%- elif verdict.get('split') -%}
            {%- set at.alone = claim.group | length -%}
        {%- endif -%}
    {%- endif -%}
    {%- if at.tail and (tally.stopped is not none or request.pause_seconds > 0) -%}
        {%- do backfill_safety._run(at.tail) -%}
        {%- do backfill_safety._release(tally) -%}
        {%- set at.tail = [] -%}
        {%- if tally.stopped is none -%} {%- do backfill_safety._rest(request.pause_seconds) -%} {%- endif -%}
    {%- endif -%}
    {%- set at.over = at.over or tally.stopped is not none -%}
{% endmacro %}


{#- Ends the last commit, begins the next transaction and claims units in it: the first of them and those that touch it. -#}
{% macro _claim(plan, tail, size, tries) %}
    {%- set put_off = [] -%}
    {%- for position, try in tries.items() if try.put_off -%} {%- do put_off.append(position) -%} {%- endfor -%}
    {%- set row = backfill_safety._run(tail + [backfill_safety.postgres___begin_sql(), backfill_safety._bounded_wait_sql('10s'),
        backfill_safety._claim_units_sql(plan, size, put_off)])[0] -%}
    {%- set claim = dict(zip(['turn', 'state', 'cancel', 'done', 'open', 'rows', 'seconds', 'claimed'], row)) -%}
    {%- do claim.update({'group': backfill_safety._adjacent(claim.claimed, 0, size) if claim.claimed else []}) -%}
    {%- do return(claim) -%}
{% endmacro %}


{#- What the others have done counts: a limit that all together reach, a failure, a cancellation, a lease that is gone. -#}
{% macro _stop_with_others(plan, tally, claim) %}
    {%- set limits = plan.request.limits -%}
    {%- set again = '; ask again to go on' -%}
    {%- if tally.stopped is not none or claim.open == 0 -%} {%- do return(none) -%} {%- endif -%}
    {%- if claim.seconds is none -%}
        {%- do tally.update({'stopped': 'the lease has been taken by another backfill', 'state': 'incomplete'}) -%}
    {%- elif claim.cancel -%}
        {%- do tally.update({'stopped': 'it was cancelled', 'state': 'cancelled'}) -%}
    {%- elif claim.state != 'running' -%}
        {%- set failed = backfill_safety._load_units(plan.request.relation, plan.run_id, "state = 'failed'") -%}
        {%- do tally.update({'state': claim.state,
            'stopped': failed[0].name ~ ' ' ~ failed[0].message if failed else 'another worker has stopped it as ' ~ claim.state}) -%}
    {%- elif limits.minutes is defined and claim.seconds > 60 * limits.minutes -%}
        {%- do tally.update({'stopped': 'the limit of ' ~ limits.minutes ~ ' minutes is reached' ~ again, 'state': 'incomplete'}) -%}
    {%- elif limits.rows is defined and claim.rows > limits.rows -%}
        {%- do tally.update({'stopped': 'the limit of ' ~ backfill_safety._grouped(limits.rows) ~ ' rows is reached' ~ again,
            'state': 'incomplete'}) -%}
    {%- endif -%}
{% endmacro %}


{#- The work on claimed units, judged. What may not stand is taken back to the claim, so that nobody else has the unit before
    the ledger says why. -#}
{% macro _do_claimed(plan, tally, group) %}
    {%- set relation = plan.request.relation -%}
    {%- set began = backfill_safety._clock() -%}
    {%- set done = backfill_safety._engine('_attempt')(plan, ['savepoint backfill_safety'], group) -%}
    {%- set facts = [] if done.trouble else backfill_safety._facts(plan, done.rows, group) -%}
    {%- set verdict = done.trouble or backfill_safety._judge(plan, facts) -%}
    {%- if done.read is not none and not plan.get('compared') -%}
        {%- set verdict = backfill_safety._compared(plan, group, done, verdict) -%}
    {%- endif -%}
    {%- if verdict.ok -%} {%- do return(dict(verdict, facts=facts)) -%} {%- endif -%}
    {%- set splits = group | length > 1 and verdict.state not in ['planned', 'locked'] -%}
    {%- if verdict.state == 'locked' or splits -%}
        {%- do backfill_safety._run(['rollback']) -%}
    {%- else -%}
        {%- set leased = backfill_safety._while_leased_sql(relation, plan.holder) -%}
        {%- set statements = ['rollback to savepoint backfill_safety', backfill_safety._set_unit_sql(relation, plan.run_id, group[0],
            backfill_safety._refused_unit(verdict, backfill_safety._seconds_since(began)), leased)] -%}
        {%- if verdict.state != 'deferred' -%}
            {%- do statements.append(backfill_safety._set_run_sql(relation, plan.run_id,
                {'state': 'incomplete' if verdict.state == 'planned' else 'failed'}, leased)) -%}
        {%- endif -%}
        {%- do backfill_safety._run(statements + ['commit']) -%}
        {%- do backfill_safety._tally_refusal(plan, tally, group[0], verdict) -%}
    {%- endif -%}
    {%- do return(dict(verdict, split=splits)) -%}
{% endmacro %}
