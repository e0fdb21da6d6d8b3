{#- What a commit did, unit by unit, as one query: (what, unit, number, text). -#}
{% macro _facts_sql(plan, before, marks) %}
    {%- set request = plan.request -%}
    {%- set unit = marks.unit -%}
    {%- set predicate = marks.predicate -%}
    {%- set keys = backfill_safety._quoted_names(request.key_columns) -%}
    {%- set all_columns = backfill_safety._quoted_names(plan.columns) -%}
    {%- set distinct = backfill_safety._distinct_keys_sql(keys) if keys else backfill_safety._distinct_rows(all_columns) -%}
    {%- set checksum = backfill_safety._checksum_of(all_columns) -%}
    {%- set past = backfill_safety._past_cursor_sql(plan.cursor) -%}
    {%- set arms = [] -%}
    {%- for side, relation in [('before', before), ('after', request.relation | string)] -%}
        {%- do arms.append(
            "select '" ~ side ~ "' as fact, " ~ unit ~ ' as unit_no, count(*) as n, ' ~ distinct ~ ' as m, ' ~ checksum ~ ' as checksum, '
            ~ ('count(case when ' ~ past ~ ' then 1 end)' if past and side == 'after' else '0') ~ ' as past from ' ~ relation
                ~ ' where ' ~ predicate ~ ' group by 2'
        ) -%}
    {%- endfor -%}
    {%- if keys -%}
        {%- do arms.append(
            "select 'lost', unit_no, count(*), 0, null, 0 from (select " ~ unit ~ ' as unit_no, ' ~ keys | join(', ') ~ ' from '
                ~ before ~ ' where ' ~ predicate
            ~ ' except select ' ~ unit ~ ', ' ~ keys | join(', ') ~ ' from ' ~ request.relation ~ ' where ' ~ predicate
                ~ ') as lost_keys group by 2'
        ) -%}
    {%- endif -%}
    {%- do arms.extend(backfill_safety._expectation_arms(plan, marks)) -%}
    {%- if not backfill_safety._holds_database_alone() -%}
        {%- do arms.append(
            "select 'cancel', " ~ marks.first ~ ', cancel_requested, 0, null, 0 from '
                ~ backfill_safety._ledger(request.relation, 'runs') ~ ' where run_id = ' ~ backfill_safety._quoted(plan.run_id)
        ) -%}
    {%- endif -%}
    {%- do return(arms | join('\nunion all\n')) -%}
{% endmacro %}


{% macro _distinct_keys_sql(keys) %}
    {%- if keys | length == 1 -%} {%- do return('count(distinct ' ~ keys[0] ~ ')') -%} {%- endif -%}
    {%- do return('count(distinct (' ~ keys | join(', ') ~ '))') -%}
{% endmacro %}


{#- expect: unique, not_null and sql, as further facts: a number above 0 is a broken expectation. -#}
{% macro _expectation_arms(plan, marks) %}
    {%- set request = plan.request -%}
    {%- set unit = marks.unit -%}
    {%- set predicate = marks.predicate -%}
    {%- set arms = [] -%}
    {%- for columns in request.expect.get('unique_sets', []) -%}
        {%- set names = backfill_safety._quoted_names(columns) | join(', ') -%}
        {%- do arms.append(
            'select ' ~ backfill_safety._quoted('unique ' ~ columns | join(', '))
                ~ ', unit_no, count(*), 0, null, 0 from (select ' ~ unit ~ ' as unit_no, ' ~ names ~ ' from '
            ~ request.relation ~ ' where ' ~ predicate ~ ' group by 1, ' ~ names ~ ' having count(*) > 1) as repeated group by 2'
        ) -%}
    {%- endfor -%}
    {%- for column in request.expect.get('not_null_columns', []) -%}
        {%- do arms.append(
            'select ' ~ backfill_safety._quoted('not_null ' ~ column) ~ ', ' ~ unit ~ ', count(*), 0, null, 0 from '
                ~ request.relation ~ ' where ' ~ predicate
            ~ ' and ' ~ adapter.quote(column) ~ ' is null group by 2'
        ) -%}
    {%- endfor -%}
    {%- if request.expect.get('sql') -%}
        {%- set sql = request.expect.sql | replace('{target}', request.relation | string) | replace('{unit}', '(' ~ predicate ~ ')') -%}
        {%- do arms.append("select 'sql', " ~ marks.first ~ ', count(*), 0, null, 0 from (\n' ~ sql ~ '\n) as expectation') -%}
    {%- endif -%}
    {%- do return(arms) -%}
{% endmacro %}


{#- The answer of that query → one mapping a unit. -#}
{% macro _facts(rows, group) %}
    {%- set facts = {} -%}
    {%- for position in group -%}
        {%- do facts.update({position: {
            'position': position, 'rows_before': 0, 'rows_after': 0, 'keys_before': 0, 'keys_after': 0, 'lost': 0, 'past': 0, 'cancel': 0,
            'checksum_before': none, 'checksum_after': none, 'broken': [],
        }}) -%}
    {%- endfor -%}
    {%- for fact, position, n, m, checksum, past in rows -%}
        {%- set unit = facts[position] -%}
        {%- if fact in ['before', 'after'] -%}
            {%- do unit.update({'rows_' ~ fact: n, 'keys_' ~ fact: m, 'checksum_' ~ fact: checksum}) -%}
            {%- if fact == 'after' -%} {%- do unit.update({'past': past}) -%} {%- endif -%}
        {%- elif fact in ['lost', 'cancel'] -%} {%- do unit.update({fact: n}) -%}
        {%- elif n > 0 -%} {%- do unit.broken.append(fact ~ ' (' ~ n ~ ')') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(facts.values() | list) -%}
{% endmacro %}
