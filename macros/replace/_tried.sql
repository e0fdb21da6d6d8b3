{#- Steps of which what goes wrong is told and not raised, where the engine can catch it: a table that somebody has locked then costs a
    bounded wait and a line. A step is a statement, or {rows: query}. {answers, trouble, locked}: the rows of each query as lists;
    `trouble` is what the engine said, or none, and `locked` whether it was a lock that was not had. Nothing is ended: where there was
    trouble the transaction holds what it held before the steps. -#}
{% macro _try(steps, before=[]) %}
    {%- do return(backfill_safety._engine('_try')(steps, before)) -%}
{% endmacro %}


{#- The rows of one query that is not waited for without end: {rows, trouble}. -#}
{% macro _look(sql) %}
    {%- set tried = backfill_safety._try([{'rows': sql}], backfill_safety._engine('_wait_for_locks')()) -%}
    {%- do return({'rows': tried.answers[0] if tried.answers else [], 'trouble': tried.trouble}) -%}
{% endmacro %}


{% macro default___try(steps, before) %}
    {%- set at = namespace(held=before | list) -%}
    {%- set answers = [] -%}
    {%- for step in steps -%}
        {%- if step is mapping -%}
            {%- set rows = [] -%}
            {%- for row in backfill_safety._run(at.held + [step.rows]) -%} {%- do rows.append(row | list) -%} {%- endfor -%}
            {%- do answers.append(rows) -%}
            {%- set at.held = [] -%}
        {%- else -%} {%- set at.held = at.held + [step] -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if at.held -%} {%- do backfill_safety._run(at.held) -%} {%- endif -%}
    {%- do return({'answers': answers, 'trouble': none, 'locked': false}) -%}
{% endmacro %}


{#- One block, whose handler takes back what the steps did, and what it has to say: one round trip, and where no transaction is open a
    transaction of its own. https://www.postgresql.org/docs/15/protocol-flow.html#PROTOCOL-FLOW-MULTI-STATEMENT -#}
{% macro postgres___try(steps, before) %}
    {%- set _, facts, _, locked, failed = backfill_safety._run(before + backfill_safety._tried_sql(steps))[0] -%}
    {%- set answers = [] -%}
    {%- for answer in (fromjson(facts) if facts else []) -%}
        {%- set rows = [] -%}
        {%- for row in answer -%} {%- do rows.append(row.values() | list) -%} {%- endfor -%}
        {%- do answers.append(rows) -%}
    {%- endfor -%}
    {%- do return({'answers': answers, 'trouble': locked or failed, 'locked': locked is not none}) -%}
{% endmacro %}


{% macro redshift___try(steps, before) %}
    {%- do return(backfill_safety.default___try(steps, before)) -%}
{% endmacro %}


{#- A row goes through JSON by the names of its columns, so these have to differ. {with, rows}: a query of what a statement returns. -#}
{% macro _tried_sql(steps) %}
    {%- set block, sql = backfill_safety._postgres_quote('block'), backfill_safety._postgres_quote('sql') -%}
    {%- set parts = [] -%}
    {%- for step in steps -%}
        {%- if step is mapping -%}
            {%- set first = 'with ' ~ step['with'] ~ ' ' if 'with' in step else '' -%}
            {%- do parts.append('execute ' ~ sql ~ first
                ~ "select '[' || coalesce(string_agg(row_to_json(tried)::text, ', '), '') || ']' from (\n" ~ step.rows ~ '\n) as tried'
                ~ sql ~ " into one; said := concat_ws(', ', said, one);") -%}
        {%- else -%} {%- do parts.append('execute ' ~ sql ~ step ~ sql ~ ';') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return([
        'do ' ~ block ~ " declare said text; one text; begin perform set_config('backfill_safety.' || name, '', true) "
        ~ "from unnest(array['facts', 'locked', 'failed']) as name; begin " ~ parts | join(' ')
        ~ " perform set_config('backfill_safety.facts', '[' || said || ']', true); " ~ backfill_safety._tell_trouble_sql()
        ~ ' end; end ' ~ block, backfill_safety._postgres_said_sql(),
    ]) -%}
{% endmacro %}


{#- The handler of such a block. What a timeout or another session cancels is not among `others`. -#}
{% macro _tell_trouble_sql() %}
    {%- do return("exception when lock_not_available or deadlock_detected "
        ~ "then perform set_config('backfill_safety.locked', sqlerrm, true); when others or query_canceled "
        ~ "then perform set_config('backfill_safety.failed', sqlerrm, true);") -%}
{% endmacro %}
