{#- Ledgers lie in the schema of the models they speak of: the ones that exist for this project, as relations. -#}
{% macro _ledgers() %}
    {%- set seen = [] -%}
    {%- set ledgers = [] -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'model' and node.config.materialized in ['incremental', 'table'] -%}
        {%- set relation = api.Relation.create(database=node.database, schema=node.schema, identifier=node.alias) -%}
        {%- set ledger = backfill_safety._ledger_relation(relation, 'runs') -%}
        {%- if ledger | string not in seen -%}
            {%- do seen.append(ledger | string) -%}
            {%- if backfill_safety._ledger_exists(relation) -%} {%- do ledgers.append(relation) -%} {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(ledgers) -%}
{% endmacro %}


{#- One run by its id in any ledger: {run, relation}; refuses an id that no ledger knows. -#}
{% macro _find_run(run_id) %}
    {%- if run_id is not string or not modules.re.match('^[a-z][a-z0-9_]{0,31}$', run_id) -%}
        {%- do backfill_safety._refuse("run_id '" ~ (run_id or '') ~ "' is no run id; backfill_status lists them") -%}
    {%- endif -%}
    {%- for ledger in backfill_safety._ledgers() -%}
        {%- set run = backfill_safety._run_by_id(ledger, run_id) -%}
        {%- if run is not none -%} {%- do return(backfill_safety._opened_run(run, ledger)) -%} {%- endif -%}
    {%- endfor -%}
    {%- do backfill_safety._refuse("no ledger of this project knows run_id '" ~ run_id ~ "'; backfill_status lists the runs") -%}
{% endmacro %}


{#- A run's row with what operations on it need: its ledger, its target, its node and its window's predicate settings. -#}
{% macro _opened_run(run, ledger) %}
    {%- set node = graph.nodes.get(run.model) -%}
    {%- set relation = none -%}
    {%- if node is defined and node -%} {%- set relation = adapter.get_relation(node.database, node.schema, node.alias) -%} {%- endif -%}
    {%- do return({
        'run': run,
        'ledger': ledger,
        'relation': relation,
        'request': {
            'grain': run.grain if not modules.re.match('^\\d+$', run.grain) else run.grain | int,
            'column_sql': backfill_safety._quote(run.column_name),
            'column_kind': run.column_kind,
            'frame': backfill_safety._literal_frame(run.column_kind),
            'where_sql': run.where_sql or '',
        },
    }) -%}
{% endmacro %}
