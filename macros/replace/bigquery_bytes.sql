{#- What a plan reads on BigQuery, which is billed by bytes and has no EXPLAIN; dbt gives no way to its dry run. So it is counted from what
    is known of partitions: all columns of a table, an upper bound. -#}

{#- {rows, bytes}: of inputs that are bounded the partitions in the window, of other tables all of them each time that the model is
    computed, and of either all for the proof. none where one of them has no such metadata, as an external table. -#}
{% macro bigquery___estimate(plan) %}
    {%- set tables = backfill_safety._tables_below(plan, plan.request.node, none) -%}
    {%- if plan.reads_itself -%}
        {%- do tables.update({plan.request.node.unique_id: {'node': plan.request.node, 'input': none}}) -%}
    {%- endif -%}
    {%- set times = 1 if plan.read == 'once' else plan.units -%}
    {%- set proof = backfill_safety._readings_of_proof(plan) -%}
    {%- set parts = [] -%}
    {%- for name, rows, bytes, window_rows, window_bytes in (backfill_safety._fetch(backfill_safety._partition_bytes_sql(plan, tables))
        if tables else []) if name in tables -%}
        {%- set each = (1 if tables[name].input is not none else times) + (1 if proof and plan.read == 'once' else 0) -%}
        {%- do parts.append(none if bytes is none else {
            'rows': each * window_rows | int + proof * rows | int,
            'bytes': each * window_bytes | int + proof * bytes | int,
        }) -%}
    {%- endfor -%}
    {%- do return(backfill_safety._told({'rows': 'rows', 'bytes': 'bytes'}, parts) if parts | length == tables | length else none) -%}
{% endmacro %}


{#- {name: {node, input}} of the tables that a model reads, those below its views among them; `input` is what bounds them, and a table
    that is read with and without has two names. A view that is bounded is taken to hand its column on under the same name: where it does
    not, limits: {bytes} stop the run. -#}
{% macro _tables_below(plan, node, input) %}
    {%- set found = {} -%}
    {%- for id in node.depends_on.nodes -%}
        {%- set parent = graph.nodes.get(id) or graph.sources.get(id) -%}
        {%- set bounds = input or plan.inputs.get(id) -%}
        {%- if parent and parent.resource_type == 'model' and parent.config.materialized in ['view', 'ephemeral'] -%}
            {%- do found.update(backfill_safety._tables_below(plan, parent, bounds)) -%}
        {%- elif parent -%}
            {%- do found.update({id ~ (' by ' ~ bounds.column if bounds else ''): {'node': parent, 'input': bounds}}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(found) -%}
{% endmacro %}


{#- Rows and bytes of each table, in all and in the window; one row a table, of NULLs where it is none. A partition is named by its first
    hour, day, month or year in UTC; rows that were streamed in lie in no partition yet. A role that may not ask gets one row more, and
    the plan no estimate. https://cloud.google.com/bigquery/docs/information-schema-partitions
    https://cloud.google.com/bigquery/docs/reference/standard-sql/procedural-language#beginexceptionend -#}
{% macro _partition_bytes_sql(plan, tables) %}
    {%- set arms = [] -%}
    {%- for name, table in tables.items() -%}
        {%- set parent = table.node -%}
        {%- set schema = backfill_safety._quote(parent.database) ~ '.' ~ backfill_safety._quote(parent.schema) ~ '.INFORMATION_SCHEMA.' -%}
        {%- set inside = backfill_safety._partition_in_window_sql(plan, table.input) if table.input else 'true' -%}
        {%- set identifier = backfill_safety._quoted(parent.alias or parent.identifier or parent.name) -%}
        {%- do arms.append('select ' ~ backfill_safety._quoted(name) ~ ', sum(p.total_rows), sum(p.total_logical_bytes), sum(if(' ~ inside
            ~ ', p.total_rows, 0)), sum(if(' ~ inside ~ ', p.total_logical_bytes, 0)) from ' ~ schema ~ 'PARTITIONS as p left join '
            ~ schema ~ "COLUMNS as c on c.table_name = p.table_name and c.is_partitioning_column = 'YES' where p.table_name = "
            ~ identifier) -%}
    {%- endfor -%}
    {%- do return('begin\n' ~ arms | join('\nunion all\n')
        ~ ";\nexception when error then select @@error.message, null, null, null, null;\nend") -%}
{% endmacro %}


{% macro _partition_in_window_sql(plan, input) %}
    {%- if plan.request.grain == 'value' or plan.request.grain is number -%} {%- do return('true') -%} {%- endif -%}
    {%- set ends = [] -%}
    {%- for literal in backfill_safety._input_literals(input, plan.request, backfill_safety._unit_ends(plan, 0, plan.slots - 1)) -%}
        {%- do ends.append((modules.re.sub('[^0-9]', '', literal) ~ '0000000000')[:10]) -%}
    {%- endfor -%}
    {%- do return("(c.column_name is null or lower(c.column_name) <> " ~ backfill_safety._quoted(input.column | lower)
        ~ " or p.partition_id = '__UNPARTITIONED__' or (p.partition_id >= substr('" ~ ends[0]
        ~ "', 1, length(p.partition_id)) and rpad(p.partition_id, 10, '0') < '" ~ ends[1] ~ "'))") -%}
{% endmacro %}
