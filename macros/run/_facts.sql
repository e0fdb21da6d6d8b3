{#- What a commit did, unit by unit, as one query over old and new rows: (fact, unit, rows, keys, checksum, past the cursor).
    `keys` is a checksum of the keys, which is cheap and equal where no key came or went; without a key, the number of
    different rows. -#}
{% macro _facts_sql(plan, before, after, marks) %}
    {%- set request = plan.request -%}
    {%- set keys = backfill_safety._quoted_names(request.key_columns) -%}
    {%- set all_columns = backfill_safety._quoted_names(plan.columns) -%}
    {%- set keys_sql = backfill_safety._checksum_of(keys) if keys
        else 'cast(' ~ backfill_safety._distinct_rows(all_columns) ~ ' as ' ~ dbt.type_string() ~ ')' -%}
    {%- set past = backfill_safety._past_cursor_sql(plan.cursor, plan.columns) -%}
    {%- set past_sql = 'count(case when ' ~ past ~ ' then 1 end)' if past else '0' -%}
    {%- set shared = marks.unit ~ ' as unit_no, count(*) as n, ' ~ keys_sql ~ ' as keys, ' ~ backfill_safety._checksum_of(all_columns)
        ~ ' as checksum, ' -%}
    {%- set of_units = ' where ' ~ marks.predicate ~ marks.group -%}
    {%- set arms = [
        "select 'before' as fact, " ~ shared ~ '0 as past from ' ~ before ~ of_units,
        "select 'after' as fact, " ~ shared ~ past_sql ~ ' as past from ' ~ after ~ of_units,
    ] -%}
    {%- if request.expect -%} {%- do arms.extend(backfill_safety._expectation_arms(plan, after, marks)) -%} {%- endif -%}
    {%- if not backfill_safety._holds_database_alone() -%} {%- do arms.extend(backfill_safety._ledger_arms(plan, marks)) -%} {%- endif -%}
    {%- do return(arms | join('\nunion all\n')) -%}
{% endmacro %}


{#- Whether the lease is still there, and whether the run has been cancelled. -#}
{% macro _ledger_arms(plan, marks) %}
    {%- set relation = plan.request.relation -%}
    {%- do return([
        "select 'lease', " ~ marks.first ~ ', count(*), null, null, 0 from ' ~ backfill_safety._ledger(relation, 'leases')
            ~ ' where relation = ' ~ backfill_safety._quoted(relation) ~ ' and holder = ' ~ backfill_safety._quoted(plan.holder),
        "select 'cancel', " ~ marks.first ~ ', cancel_requested, null, null, 0 from ' ~ backfill_safety._ledger(relation, 'runs')
            ~ ' where run_id = ' ~ backfill_safety._quoted(plan.run_id),
    ]) -%}
{% endmacro %}


{#- Where keys came or went: how many different keys there were and are, and how many are gone. (fact, unit, number) -#}
{% macro _key_facts_sql(plan, before, after, marks) %}
    {%- set keys = backfill_safety._quoted_names(plan.request.key_columns) | join(', ') -%}
    {%- set old = 'select distinct ' ~ marks.unit ~ ' as backfill_unit, ' ~ keys ~ ' from ' ~ before ~ ' where ' ~ marks.predicate -%}
    {%- set new = 'select distinct ' ~ marks.unit ~ ' as backfill_unit, ' ~ keys ~ ' from ' ~ after ~ ' where ' ~ marks.predicate -%}
    {%- do return(
        "select 'keys_before' as fact, backfill_unit, count(*) as n from (" ~ old ~ ') as o group by backfill_unit'
        ~ "\nunion all\nselect 'keys_after', backfill_unit, count(*) from (" ~ new ~ ') as n group by backfill_unit'
        ~ "\nunion all\nselect 'lost', backfill_unit, count(*) from (" ~ old ~ backfill_safety._engine('_except')() ~ new
        ~ ') as l group by backfill_unit'
    ) -%}
{% endmacro %}


{#- What stands between two queries so that rows of the first stay that the second does not give. -#}
{% macro default___except() %}
    {%- do return(' except ') -%}
{% endmacro %}


{#- expect: unique, not_null and sql, as further facts: a number above 0 is a broken expectation. -#}
{% macro _expectation_arms(plan, after, marks) %}
    {%- set request = plan.request -%}
    {%- set rows = after ~ ' where ' ~ marks.predicate -%}
    {%- set arms = [] -%}
    {%- for columns in request.expect.get('unique_sets', []) -%}
        {%- set names = backfill_safety._quoted_names(columns) | join(', ') -%}
        {%- do arms.append(
            'select ' ~ backfill_safety._quoted('unique ' ~ columns | join(', ')) ~ ', ' ~ marks.first
            ~ ', count(*), null, null, 0 from (select ' ~ names ~ ' from ' ~ rows ~ ' group by ' ~ names
                ~ ' having count(*) > 1) as repeated'
        ) -%}
    {%- endfor -%}
    {%- for column in request.expect.get('not_null_columns', []) -%}
        {%- do arms.append(
            'select ' ~ backfill_safety._quoted('not_null ' ~ column) ~ ', ' ~ marks.first ~ ', count(*), null, null, 0 from ' ~ rows
            ~ ' and ' ~ backfill_safety._quote(column) ~ ' is null'
        ) -%}
    {%- endfor -%}
    {%- if request.expect.get('sql') -%}
        {%- do arms.append("select 'sql', " ~ marks.first ~ ', count(*), null, null, 0 from '
            ~ backfill_safety._expectation_sql(request, after, marks.predicate)) -%}
    {%- endif -%}
    {%- do return(arms) -%}
{% endmacro %}


{#- expect: sql over a table and a unit, as what stands after `from`. -#}
{% macro _expectation_sql(request, table, predicate) %}
    {%- set sql = request.expect.sql | replace('{target}', table) | replace('{unit}', '(' ~ predicate ~ ')') -%}
    {%- do return('(\n' ~ sql ~ '\n) as expectation') -%}
{% endmacro %}


{#- The answer of the first query → one mapping a unit. A broken expectation of joined units is told of the first of them:
    the commit is split, and then it is exact. -#}
{% macro _facts(plan, rows, group) %}
    {%- set facts = {} -%}
    {%- for position in group -%}
        {%- do facts.update({position: {
            'position': position, 'rows_before': 0, 'rows_after': 0, 'keys_before': 0, 'keys_after': 0, 'lost': 0, 'past': 0,
            'cancel': 0, 'lease': 1, 'checksum_before': none, 'checksum_after': none, 'broken': [],
        }}) -%}
    {%- endfor -%}
    {%- set texts = {'before': {}, 'after': {}} -%}
    {%- for fact, position, n, keys, checksum, past in rows -%}
        {%- set unit = facts[position] -%}
        {%- if fact in texts -%}
            {%- do unit.update({'rows_' ~ fact: n, 'checksum_' ~ fact: checksum, 'past': unit.past + past}) -%}
            {%- do texts[fact].update({position: keys}) -%}
        {%- elif fact in ['cancel', 'lease'] -%} {%- do unit.update({fact: n}) -%}
        {%- elif n > 0 -%} {%- do unit.broken.append(fact ~ ' (' ~ n ~ ')') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not plan.request.key_columns -%}
        {%- for side, counts in texts.items() -%}
            {%- for position, keys in counts.items() -%} {%- do facts[position].update({'keys_' ~ side: keys | int}) -%} {%- endfor -%}
        {%- endfor -%}
    {%- elif texts.before != texts.after -%}
        {%- set sql = backfill_safety._filled([plan.script.key_facts], plan, group[0], group[-1])[0] -%}
        {%- for fact, position, n in backfill_safety._fetch(sql) -%} {%- do facts[position].update({fact: n}) -%} {%- endfor -%}
    {%- endif -%}
    {%- do return(facts.values() | list) -%}
{% endmacro %}
