{#- The version of the ledger that this release reads and writes. It is raised when a table of it changes. -#}
{% macro _ledger_version() %}
    {%- do return(1) -%}
{% endmacro %}


{#- Refuses a ledger that another release has made or written to: asked once in an operation, before a row of it is read for any other
    purpose. -#}
{% macro _refuse_other_ledger(relation) %}
    {%- set runs = backfill_safety._ledger_store(relation, 'runs') -%}
    {%- set known = context.setdefault('backfill_safety_known_ledgers', []) -%}
    {%- if runs | string in known -%} {%- do return(none) -%} {%- endif -%}
    {%- do known.append(runs | string) -%}
    {%- set differs = [] -%}
    {%- for name in ['runs', 'units', 'leases'] -%}
        {%- set table = backfill_safety._ledger_store(relation, name) -%}
        {%- set wanted = backfill_safety._ledger_columns(name).keys() | list -%}
        {%- set found = adapter.get_columns_in_relation(table) | map(attribute='name') | map('lower') | list -%}
        {%- if not found -%}
            {%- do backfill_safety._refuse('this role may not read ' ~ table ~ '; grant it select, insert, update and delete on the '
                ~ 'three tables of the ledger, or keep a ledger apart: vars: {backfill_safety: {schema: …}}') -%}
        {%- endif -%}
        {%- set lacks = wanted | reject('in', found) | list -%}
        {%- set more = found | reject('in', wanted + ['seq']) | list -%}
        {%- if lacks -%} {%- do differs.append(table.identifier ~ ' lacks ' ~ backfill_safety._name_list(lacks)) -%} {%- endif -%}
        {%- if more -%} {%- do differs.append(table.identifier ~ ' has ' ~ backfill_safety._name_list(more)) -%} {%- endif -%}
    {%- endfor -%}
    {%- if not differs -%}
        {%- set version = backfill_safety._ledger_version() -%}
        {%- set other = backfill_safety._fetch('select max(ledger_version) from ' ~ runs ~ ' where ledger_version <> ' ~ version)[0][0] -%}
        {%- if other -%} {%- do differs.append('it holds runs of version ' ~ other ~ ', and this is version ' ~ version) -%} {%- endif -%}
    {%- endif -%}
    {%- if differs -%}
        {%- do backfill_safety._refuse('the ledger ' ~ runs ~ ' is of another version of backfill_safety (' ~ differs | join('; ')
            ~ '); use the release that wrote it, or keep a ledger apart: vars: {backfill_safety: {schema: …}}') -%}
    {%- endif -%}
{% endmacro %}
