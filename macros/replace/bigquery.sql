{#- BigQuery: a transaction lives in one query job, so it cannot wait for a judgement that is made here. A unit's rows are therefore
    computed and judged aside, and one job then replaces the unit and writes its row of the ledger, or does neither.
    https://cloud.google.com/bigquery/docs/transactions#transaction_scope -#}
{% macro bigquery___proof() %}
    {%- do return({'engine': 'bigquery', 'is': 'generated'}) -%}
{% endmacro %}


{% macro bigquery___has_transactions() %}
    {%- do return(false) -%}
{% endmacro %}


{% macro bigquery___end_transaction() %}
{% endmacro %}


{#- A job a statement; what begins and ends a transaction elsewhere is left out. -#}
{% macro bigquery___run(statements) %}
    {%- do return(backfill_safety._run_each(statements)) -%}
{% endmacro %}


{% macro bigquery___replace_methods() %}
    {%- do return(['merge']) -%}
{% endmacro %}


{#- Joining units saves nothing where each is judged aside, and what was replaced lies in the backup alone. -#}
{% macro bigquery___check_target(request) %}
    {%- do backfill_safety._refuse_without_backup(request) -%}
    {%- do backfill_safety._limit_billed_bytes(request) -%}
{% endmacro %}


{#- Billed bytes are counted while a run goes on. https://cloud.google.com/bigquery/pricing#on_demand_pricing -#}
{% macro bigquery___fetch(sql) %}
    {%- do return(backfill_safety._fetch_counted(sql, 'bytes_billed')) -%}
{% endmacro %}


{#- With the partitions of the target, so that what the run copies is pruned as the target is; its partitions expire as those of the
    target do. https://cloud.google.com/bigquery/docs/reference/standard-sql/data-definition-language#create_table_like -#}
{% macro bigquery___create_like_sql(table, columns, relation) %}
    {%- do return(['create or replace table ' ~ table ~ ' like ' ~ relation]) -%}
{% endmacro %}


{% macro bigquery___create_stage_sql(stage, relation) %}
    {%- do return(backfill_safety.bigquery___create_like_sql(stage, '*', relation)) -%}
{% endmacro %}


{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/dml-syntax#truncate_table_statement -#}
{% macro bigquery___fill_stage_sql(stage, names, query) %}
    {%- do return(['truncate table ' ~ stage, 'insert into ' ~ stage ~ ' (' ~ names ~ ') ' ~ query]) -%}
{% endmacro %}


{#- One statement: an empty result empties the unit, nothing else is touched, and the literals of the predicate prune the target.
    https://cloud.google.com/bigquery/docs/reference/standard-sql/dml-syntax#merge_statement ("constant false predicate") -#}
{% macro bigquery___overwrite_sql(table, source, partitions, side) %}
    {%- set names = backfill_safety._names_of(table) | join(', ') -%}
    {%- do return([
        'merge into ' ~ table ~ ' using (select ' ~ names ~ ' from ' ~ source ~ ' where ' ~ partitions[0].predicate
        ~ ') as backfill_rows on false when not matched by source and ' ~ partitions[0].predicate
        ~ ' then delete when not matched then insert (' ~ names ~ ') values (' ~ names ~ ')'
    ]) -%}
{% endmacro %}


{#- The job: nobody has written to the unit since it was judged, the lease is ours, it is replaced, it holds what was judged, the
    ledger says so. An error takes all of it back, and so does a writer who changes the table meanwhile: BigQuery cancels one of two.
    https://cloud.google.com/bigquery/docs/transactions#transaction_concurrency -#}
{% macro bigquery___replace_and_record(plan, unit, stage, parts, predicate, began) %}
    {%- set relation = plan.request.relation -%}
    {%- do backfill_safety._run(backfill_safety._renewal(plan)) -%}
    {%- do plan.entries[unit.position].update({'attempt': plan.entries[unit.position].attempt + 1}) -%}
    {%- set lease = 'select if(count(*) = 1, true, error(' ~ backfill_safety._quoted('the lease has been taken by another backfill'
        ~ '; nothing was written') ~ ')) from ' ~ backfill_safety._ledger(relation, 'leases') ~ ' where '
        ~ backfill_safety._lease_of_sql(relation, plan.holder) -%}
    {%- do backfill_safety._fetch((
        ['begin transaction', lease, backfill_safety._holds_sql(plan, predicate, unit.rows_before, unit.checksum_before,
            'was written to since it was judged; nothing was written, ask again')]
        + backfill_safety._engine('_overwrite_sql')(relation, stage, parts, 0)
        + [backfill_safety._holds_sql(plan, predicate, unit.rows_after, unit.checksum_after,
            'did not come out as it was judged; nothing was written'),
            backfill_safety._unit_entry_sql(plan, unit, 'done', began), 'commit transaction']
    ) | join(';\n')) -%}
    {%- do return({'ok': true}) -%}
{% endmacro %}


{#- A query that ends its job with an error unless a unit holds so many rows with such a checksum.
    https://cloud.google.com/bigquery/docs/reference/standard-sql/debugging_functions#error -#}
{% macro _holds_sql(plan, predicate, rows, checksum, message) %}
    {%- set wanted = 'count(*) = ' ~ rows -%}
    {%- if checksum is not none -%}
        {%- set wanted = wanted ~ ' and ' ~ backfill_safety._checksum_of(backfill_safety._quoted_names(plan.columns)) ~ ' = '
            ~ backfill_safety._quoted(checksum) -%}
    {%- endif -%}
    {%- do return('select if(' ~ wanted ~ ', true, error(' ~ backfill_safety._quoted('the unit ' ~ message) ~ ')) from '
        ~ plan.request.relation ~ ' where ' ~ predicate) -%}
{% endmacro %}


{#- A row as JSON names every value, NULLs among them, and gives instants in UTC; the sum of INT64s would overflow.
    https://cloud.google.com/bigquery/docs/reference/standard-sql/hash_functions#farm_fingerprint
    https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#to_json_string -#}
{% macro bigquery___checksum_of(expressions) %}
    {%- do return('cast(sum(cast(' ~ backfill_safety._row_fingerprint(expressions) ~ ' as bignumeric)) as string)') -%}
{% endmacro %}


{% macro bigquery___distinct_rows(expressions) %}
    {%- do return('count(distinct ' ~ backfill_safety._row_fingerprint(expressions) ~ ')') -%}
{% endmacro %}


{% macro _row_fingerprint(expressions) %}
    {%- do return('farm_fingerprint(to_json_string(struct(' ~ expressions | join(', ') ~ ')))') -%}
{% endmacro %}


{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#timestamp_literals -#}
{% macro bigquery___literal(text, kind) %}
    {%- if kind == 'timestamp' -%} {%- do return("datetime " ~ backfill_safety._quoted(text)) -%} {%- endif -%}
    {%- if kind == 'timestamptz' -%} {%- do return("timestamp " ~ backfill_safety._quoted(text ~ '+00')) -%} {%- endif -%}
    {%- do return(backfill_safety.default___literal(text, kind)) -%}
{% endmacro %}


{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#quoted_literals -#}
{% macro bigquery___quoted(text) %}
    {%- do return("'" ~ text | replace('\\', '\\\\') | replace("'", "\\'") | replace('\n', '\\n') ~ "'") -%}
{% endmacro %}


{#- TIMESTAMP is an instant there; DATETIME has no zone.
    https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types#timestamp_type -#}
{% macro bigquery___column_kind(data_type) %}
    {%- do return('timestamptz' if data_type == 'timestamp' else backfill_safety.default___column_kind(data_type)) -%}
{% endmacro %}


{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/datetime_functions#current_datetime -#}
{% macro bigquery___now_sql() %}
    {%- do return("current_datetime('UTC')") -%}
{% endmacro %}


{% macro bigquery___plain_timestamp() %}
    {%- do return('datetime') -%}
{% endmacro %}


{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#except -#}
{% macro bigquery___except() %}
    {%- do return(' except distinct ') -%}
{% endmacro %}


{#- No type of 32 bits there: seven digits count, as text.
    https://cloud.google.com/bigquery/docs/reference/standard-sql/format-elements#format_string -#}
{% macro bigquery___rounded_sql(quoted, data_type) %}
    {%- do return("format('%.6e', " ~ quoted ~ ')' if modules.re.match('double|float|real', data_type) else quoted) -%}
{% endmacro %}
