{#- A worker shares the units of a run with others; refused where an engine cannot keep them apart. -#}
{% macro _check_worker(arguments) %}
    {%- set why = backfill_safety._engine('_why_no_workers')() -%}
    {%- if why is not none -%}
        {%- do backfill_safety._refuse('worker is not available on ' ~ target.type ~ ': ' ~ why ~ '; leave worker out') -%}
    {%- endif -%}
    {%- if not modules.re.match('^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$', arguments.worker) -%}
        {%- do backfill_safety._refuse("worker '" ~ arguments.worker
            ~ "' must be 1 to 64 letters, digits, dots, dashes or underscores, such as w1") -%}
    {%- endif -%}
    {%- if arguments.run_id is none -%}
        {%- do backfill_safety._refuse('worker needs run_id, the name of the run that the workers share; write run_id: ' ~ (
            arguments.model | string | lower | replace('-', '_') | replace('.', '_'))[:24] ~ '_1') -%}
    {%- endif -%}
{% endmacro %}


{#- Why several sessions cannot share the units of a run; none where they can. -#}
{% macro default___why_no_workers() %}
    {%- do return('it has no row locks that end with a transaction') -%}
{% endmacro %}


{% macro duckdb___why_no_workers() %}
    {%- do return('one process holds the file') -%}
{% endmacro %}


{% macro postgres___why_no_workers() %}
    {%- do return(none) -%}
{% endmacro %}


{#- Units that read what earlier units wrote have one order, and no two of them can be done at once. -#}
{% macro _refuse_ordered_units(plan) %}
    {%- if backfill_safety._goes_in_order(plan) -%}
        {%- do backfill_safety._refuse('worker cannot be used: each unit of ' ~ plan.request.node.name ~ ' reads the units before it ('
            ~ ('the live branch' if plan.branch == 'live' else 'it reads its own table') ~ '); leave worker out') -%}
    {%- endif -%}
{% endmacro %}
