{#- Every pending unit, in order. One round trip a commit: the commit of one and the work of the next share a script, and
    what the work did is judged before it is committed. -#}
{% macro _commit_all(plan, tally) %}
    {%- set request = plan.request -%}
    {%- set pending = backfill_safety._pending(plan) -%}
    {%- do plan.update({'script': backfill_safety._commit_script(plan), 'done_sql': backfill_safety._unit_done_frame(plan),
        'text_type': dbt.type_string()}) -%}
    {%- do tally.update({'total': plan.units, 'done': plan.units - pending | length}) -%}
    {%- set renewed = [] if backfill_safety._holds_database_alone()
        else [backfill_safety._renew_lease_sql(request.relation, plan.holder)] -%}
    {%- set at = namespace(next=0, size=backfill_safety._first_commit_size(plan), tail=[], split_until=-1) -%}
    {%- set tries = {} -%}
    {%- for _ in backfill_safety._times(9 * pending | length + 2) if at.next < pending | length and tally.stopped is none -%}
        {%- set size = 1 if at.size <= 1 or at.next < at.split_until else backfill_safety._commit_size(plan, at.size) -%}
        {%- set group = backfill_safety._adjacent(pending, at.next, size) if size > 1 else [pending[at.next]] -%}
        {%- set began = backfill_safety._clock() -%}
        {%- set verdict = backfill_safety._commit(plan, tally, at.tail, group) -%}
        {%- set at.tail = [] -%}
        {%- if verdict.ok -%}
            {%- set seconds = backfill_safety._seconds_since(began) -%}
            {#- the lease runs from here on, however long the commit took -#}
            {%- set at.tail = [backfill_safety._units_done_sql(plan, verdict.facts, seconds)] + renewed + ['commit'] -%}
            {%- set at.next = at.next + group | length -%}
            {%- set at.size = backfill_safety._next_size(request, at.size, group | length, seconds, verdict.facts) -%}
            {%- do backfill_safety._tally_commit(plan, tally, verdict.facts, seconds) -%}
        {%- else -%}
            {%- do backfill_safety._after_trouble(plan, tally, pending, tries, at, group, verdict, began) -%}
        {%- endif -%}
        {%- if at.tail and (at.next >= pending | length or tally.stopped is not none or request.pause_seconds > 0) -%}
            {%- do backfill_safety._run(at.tail) -%}
            {%- do backfill_safety._release(tally) -%}
            {%- set at.tail = [] -%}
            {%- if request.pause_seconds > 0 and at.next < pending | length -%}
                {%- do backfill_safety._rest(request.pause_seconds) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do backfill_safety._flush(tally) -%}
{% endmacro %}


{#- What a commit that does not stand leads to: its units come later, or one by one, or are told to the ledger. -#}
{% macro _after_trouble(plan, tally, pending, tries, at, group, verdict, began) %}
    {%- set relation = plan.request.relation -%}
    {%- if verdict.state == 'locked' and backfill_safety._may_try_again(tries, group) -%}
        {%- do backfill_safety._say_put_off(plan, tally, pending[at.next], verdict) -%}
        {%- if not backfill_safety._goes_in_order(plan) -%}
            {%- do pending.extend(pending[at.next:at.next + group | length]) -%}
            {%- set at.next = at.next + group | length -%}
        {%- endif -%}
        {%- do backfill_safety._rest_before(tries, group) -%}
    {%- elif group | length > 1 and verdict.state not in ['planned', 'locked'] -%}
        {%- set at.split_until = at.next + group | length -%}
    {%- else -%}
        {%- if verdict.state == 'locked' -%} {%- set verdict = backfill_safety._given_up(verdict) -%} {%- endif -%}
        {%- do backfill_safety._run([backfill_safety._set_unit_sql(relation, plan.run_id, group[0],
            backfill_safety._refused_unit(verdict, backfill_safety._seconds_since(began)),
            backfill_safety._while_leased_sql(relation, plan.holder))]) -%}
        {%- set at.next = at.next + 1 -%}
        {%- do backfill_safety._tally_refusal(plan, tally, group[0], verdict) -%}
    {%- endif -%}
{% endmacro %}


{#- Sends the end of the last commit and the work of this one; {ok, facts} or, rolled back, {ok, state, message}. -#}
{% macro _commit(plan, tally, tail, group) %}
    {%- set done = backfill_safety._engine('_attempt')(plan, tail, group) -%}
    {%- do backfill_safety._release(tally) -%}
    {%- set facts = [] if done.trouble else backfill_safety._facts(plan, done.rows, group) -%}
    {%- set verdict = done.trouble or backfill_safety._judge(plan, facts) -%}
    {%- if done.read is not none and not plan.get('compared') -%}
        {%- set verdict = backfill_safety._compared(plan, group, done, verdict) -%}
    {%- endif -%}
    {%- if not verdict.ok -%} {%- do backfill_safety._run(['rollback']) -%} {%- endif -%}
    {%- do return(dict(verdict, facts=facts)) -%}
{% endmacro %}


{#- Positions still to be done, in the order of work. -#}
{% macro _pending(plan) %}
    {%- set positions = backfill_safety._positions(plan) -%}
    {%- if plan.resumed is not none -%}
        {%- set positions = backfill_safety._load_units(plan.request.relation, plan.run_id,
            "state not in ('done', 'unchanged')") | map(attribute='unit_no') | list -%}
    {%- endif -%}
    {%- set oldest_first = plan.request.order == 'ascending' or backfill_safety._goes_in_order(plan) -%}
    {%- do return(positions if oldest_first else positions | reverse | list) -%}
{% endmacro %}


{#- Up to `size` positions from `at` on that touch each other; [lowest … highest]. -#}
{% macro _adjacent(pending, at, size) %}
    {%- set group = [pending[at]] -%}
    {%- for position in pending[at + 1:at + size] if (position - group[-1]) | abs == 1 -%} {%- do group.append(position) -%} {%- endfor -%}
    {%- do return(group | sort) -%}
{% endmacro %}


{#- How many units the first commit joins. A resumed run begins with one: what was not finished may be what did not fit. -#}
{% macro _first_commit_size(plan) %}
    {%- set asked = plan.request.units_per_commit -%}
    {%- do return(1 if asked == 'auto' or plan.resumed is not none else asked | int) -%}
{% endmacro %}


{#- Whether units cannot share SQL, and so neither a commit nor a look ahead. -#}
{% macro _commits_alone(plan) %}
    {%- do return(plan.renders_each or plan.request.microbatch or backfill_safety._goes_in_order(plan)) -%}
{% endmacro %}


{% macro _commit_size(plan, size) %}
    {%- set most = plan.units // 20 if plan.request.units_per_commit == 'auto' else plan.request.units_per_commit | int -%}
    {%- if size <= 1 or most <= 1 or backfill_safety._commits_alone(plan) -%} {%- do return(1) -%} {%- endif -%}
    {%- do return([size, most] | min) -%}
{% endmacro %}


{#- Twice as many units while a commit stays under half of seconds_per_commit and half a million rows. -#}
{% macro _next_size(request, size, done, seconds, facts) %}
    {%- set rows = facts | sum(attribute='rows_after') + facts | sum(attribute='rows_before') -%}
    {%- if seconds > request.seconds_per_commit or rows > 1000000 -%} {%- do return([done // 2, 1] | max) -%} {%- endif -%}
    {%- if seconds < request.seconds_per_commit / 2 and rows <= 500000 -%} {%- do return(done * 2) -%} {%- endif -%}
    {%- do return(size) -%}
{% endmacro %}
