{#- Where one process holds the database, nothing changes between a look at units and their commits. So a few dozen units are
    computed into a temporary table and judged by one query, and then committed one by one in one script: two round trips
    for all of them, and a unit is judged before a row of it is written. -#}
{% macro _can_look_ahead(plan) %}
    {%- set request = plan.request -%}
    {%- set expect = request.expect -%}
    {%- set one_by_one = backfill_safety._commits_alone(plan) or request.pause_seconds > 0
        or request.limits.rows is defined or request.limits.minutes is defined
        or expect.get('unique') or expect.get('not_null') or expect.get('sql') or expect.get('keep_missing') -%}
    {%- do return(backfill_safety._holds_database_alone() and not one_by_one) -%}
{% endmacro %}


{% macro _commit_looking_ahead(plan, tally) %}
    {%- set request = plan.request -%}
    {%- set pending = backfill_safety._pending(plan) -%}
    {%- do plan.update({'script': backfill_safety._look_ahead_script(plan), 'done_sql': backfill_safety._unit_done_frame(plan),
        'text_type': dbt.type_string()}) -%}
    {%- do tally.update({'total': plan.units, 'done': plan.units - pending | length}) -%}
    {#- a resumed run begins with one unit: what it did not finish may be what did not fit -#}
    {%- set at = namespace(next=0, size=1 if plan.resumed is not none else 4, joined=backfill_safety._first_commit_size(plan)) -%}
    {%- set most = backfill_safety._most_ahead(plan) -%}
    {%- for _ in backfill_safety._times(pending | length) if at.next < pending | length and tally.stopped is none -%}
        {%- set joined = backfill_safety._commit_size(plan, at.joined) -%}
        {#- whole commits -#}
        {%- set size = joined * ([([at.size, most] | min) // joined, 1] | max) -%}
        {%- set group = backfill_safety._adjacent(pending, at.next, size) -%}
        {%- set began = backfill_safety._clock() -%}
        {%- set rows = backfill_safety._run(backfill_safety._filled(plan.script.look, plan, group[0], group[-1])) -%}
        {%- set facts = backfill_safety._facts(plan, rows, group) -%}
        {%- set facts = facts if pending[at.next] == group[0] else facts | reverse | list -%}
        {%- set chosen = backfill_safety._chosen_units(plan, facts) -%}
        {%- set commits = backfill_safety._joined(chosen.units, joined) -%}
        {%- set proof = backfill_safety._run(backfill_safety._commits_sql(plan, commits, chosen.refused, group,
            backfill_safety._seconds_since(began))) -%}
        {%- set seconds = backfill_safety._seconds_since(began) -%}
        {%- do backfill_safety._tally_looked_at(plan, tally, commits, chosen.refused, seconds) -%}
        {%- do backfill_safety._stop_unless_proved(plan, tally, chosen.units, proof) -%}
        {%- set at.next = at.next + group | length -%}
        {%- set at.size = backfill_safety._next_size(request, at.size, group | length, seconds, facts) -%}
        {%- set at.joined = [joined * 2, [at.size, joined] | max] | min -%}
    {%- endfor -%}
    {%- do backfill_safety._flush(tally) -%}
{% endmacro %}


{#- How many units are computed ahead: a few dozen, and of large ones so many that about four million rows are read for them. -#}
{% macro _most_ahead(plan) %}
    {%- set rows = 0 if plan.read == 'once' or not plan.estimate else plan.estimate.rows // plan.units -%}
    {%- do return([64, [4000000 // ([rows, 1] | max), 1] | max] | min) -%}
{% endmacro %}


{#- The units that may be written, and those that may not with the reason; nothing is chosen after one that stops the run. -#}
{% macro _chosen_units(plan, facts) %}
    {%- do return({'units': facts, 'refused': []} if backfill_safety._judge(plan, facts).ok
        else backfill_safety._chosen_one_by_one(plan, facts)) -%}
{% endmacro %}


{% macro _chosen_one_by_one(plan, facts) %}
    {%- set units = [] -%}
    {%- set refused = [] -%}
    {%- for unit in facts if not refused or refused[-1].verdict.state == 'deferred' -%}
        {%- set verdict = backfill_safety._judge(plan, [unit]) -%}
        {%- if verdict.ok -%} {%- do units.append(unit) -%}
        {%- else -%} {%- do refused.append({'position': unit.position, 'verdict': verdict}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return({'units': units, 'refused': refused}) -%}
{% endmacro %}


{#- Units cut into commits of so many that touch each other. -#}
{% macro _joined(units, size) %}
    {%- set commits = [] -%}
    {%- for unit in units -%}
        {%- set touches = commits and commits[-1] | length < size and (unit.position - commits[-1][-1].position) | abs == 1 -%}
        {%- if touches -%} {%- do commits[-1].append(unit) -%}
        {%- else -%} {%- do commits.append([unit]) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(commits) -%}
{% endmacro %}


{#- What is the same for all commits, with marks where a commit's own values go. -#}
{% macro _look_ahead_script(plan) %}
    {%- set request = plan.request -%}
    {%- set relation = request.relation -%}
    {%- set marks = backfill_safety._marks() -%}
    {%- set names = backfill_safety._quoted_names(plan.columns) | join(', ') -%}
    {%- set is_read = plan.read == 'once' -%}
    {%- set stage = backfill_safety._run_table(relation, 'rows', plan.run_id) | string if is_read
        else 'backfill_safety_stage_' ~ plan.run_id -%}
    {%- set look = [] if is_read else [
        'create or replace temporary table ' ~ stage ~ ' as select ' ~ names ~ ' from ' ~ relation ~ ' where 1 = 0',
        plan.rendered.header ~ 'insert into ' ~ stage ~ ' (' ~ names ~ ') select ' ~ names ~ ' from ' ~ marks.rows
        ~ ' as backfill_rows where ' ~ marks.predicate,
    ] -%}
    {%- set commit = [
        'begin',
        'delete from ' ~ relation ~ ' where ' ~ marks.predicate,
        'insert into ' ~ relation ~ ' (' ~ names ~ ') select ' ~ names ~ ' from ' ~ stage ~ ' where ' ~ marks.predicate,
    ] -%}
    {%- set before = backfill_safety._before_relation(plan) -%}
    {%- set checksum = backfill_safety._checksum_of(backfill_safety._quoted_names(plan.columns)) -%}
    {%- do return({
        'marks': marks,
        'look': look + [backfill_safety._facts_sql(plan, relation | string, stage, marks)],
        'key_facts': backfill_safety._key_facts_sql(plan, relation | string, stage, marks) if request.key_columns else none,
        'backup': [
            'begin',
            'delete from ' ~ before ~ ' where ' ~ marks.predicate,
            'insert into ' ~ before ~ ' select * from ' ~ relation ~ ' where ' ~ marks.predicate,
            'commit',
        ] if request.backup else [],
        'commit': commit | join(';\n'),
        'proof': 'select ' ~ marks.unit ~ ' as unit_no, count(*), ' ~ checksum ~ ' from ' ~ relation ~ ' where ' ~ marks.predicate
            ~ ' group by 1',
    }) -%}
{% endmacro %}


{#- What the units hold is kept, all of them at once; then each commit, a transaction of its own; then what the target holds
    now. What an earlier try kept of these units, and did not replace, gives way to what they hold today. -#}
{% macro _commits_sql(plan, commits, refused, group, seconds) %}
    {%- set mark = plan.script.marks.predicate -%}
    {%- set statements = backfill_safety._filled(plan.script.backup if commits else [], plan, group[0], group[-1]) -%}
    {%- for units in commits -%}
        {%- set positions = units | map(attribute='position') | sort -%}
        {%- set predicate = backfill_safety._units_predicate(plan.request, plan.bounds, positions[0], positions[-1]) -%}
        {%- do statements.extend([plan.script.commit | replace(mark, predicate), backfill_safety._units_done_sql(plan, units),
            'commit']) -%}
    {%- endfor -%}
    {%- for unit in refused -%}
        {%- do statements.append(backfill_safety._set_unit_sql(plan.request.relation, plan.run_id, unit.position,
            backfill_safety._refused_unit(unit.verdict, seconds))) -%}
    {%- endfor -%}
    {%- do return(statements + backfill_safety._filled([plan.script.proof], plan, group[0], group[-1])) -%}
{% endmacro %}


{% macro _tally_looked_at(plan, tally, commits, refused, seconds) %}
    {%- set share = seconds / ([commits | length, 1] | max) -%}
    {%- for units in commits if tally.stopped is none -%}
        {%- do backfill_safety._tally_commit(plan, tally, units | sort(attribute='position'), share) -%}
    {%- endfor -%}
    {%- do backfill_safety._release(tally) -%}
    {%- for unit in refused -%}
        {%- do backfill_safety._tally_refusal(plan, tally, unit.position, unit.verdict) -%}
    {%- endfor -%}
    {%- do backfill_safety._flush(tally) -%}
{% endmacro %}


{#- Each unit holds now what was computed for it: the same number of rows and the same checksum. -#}
{% macro _stop_unless_proved(plan, tally, units, proof) %}
    {%- set now = {} -%}
    {%- for position, n, checksum in proof -%} {%- do now.update({position: [n, checksum]}) -%} {%- endfor -%}
    {%- for unit in units if now.get(unit.position, [0, none]) != [unit.rows_after, unit.checksum_after] -%}
        {%- set name = backfill_safety._unit_name(plan.bounds[unit.position], plan.request) -%}
        {%- do tally.update({
            'stopped': name ~ ' does not hold what was computed for it; undo the run and report this', 'state': 'failed',
        }) -%}
    {%- endfor -%}
{% endmacro %}
