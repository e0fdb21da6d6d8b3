{#- The graph node that `model` (and `version`) names; refuses what cannot be backfilled in units. -#}
{% macro _find_model(name, version) %}
    {%- if not name -%}
        {%- do backfill_safety._refuse("model is missing; write --args '{model: …, start: …, end: …}'") -%}
    {%- endif -%}
    {%- set found = [] -%}
    {%- set near = [] -%}
    {%- for node in graph.nodes.values() if node.resource_type in ['model', 'snapshot', 'seed'] -%}
        {%- set names = [node.name, node.package_name ~ '.' ~ node.name, node.unique_id] -%}
        {%- if node.version is not none and node.version is defined -%}
            {%- set names = names + [node.name ~ '.v' ~ node.version] -%}
        {%- endif -%}
        {%- if name in names and (version is none or node.version | string == version | string) -%}
            {%- do found.append(node) -%}
        {%- elif node.name[:3] == name.split('.')[-1][:3] -%}
            {%- do near.append(node.name) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if version is none and found | length > 1 -%}
        {%- set latest = [] -%}
        {%- for node in found if node.version | string == node.latest_version | string and node.version is not none -%}
            {%- do latest.append(node) -%}
        {%- endfor -%}
        {%- set found = latest if latest | length == 1 else found -%}
    {%- endif -%}
    {%- if not found -%}
        {%- do backfill_safety._refuse(
            "no model '" ~ name ~ (' version ' ~ version if version is not none else '') ~ "' in this project"
            ~ ('; did you mean ' ~ backfill_safety._name_list(near | unique | sort) if near else '; dbt ls shows the names')
        ) -%}
    {%- elif found | length > 1 -%}
        {%- do backfill_safety._refuse(
            "'" ~ name ~ "' names " ~ found | length ~ ' models; write one of: ' ~ found | map(attribute='unique_id') | sort | join(', ')
        ) -%}
    {%- endif -%}
    {%- do backfill_safety._refuse_unless_in_units(found[0]) -%}
    {%- do return(found[0]) -%}
{% endmacro %}


{% macro _refuse_unless_in_units(node) %}
    {%- set instead = {
        'snapshot': 'a snapshot stores what was seen when it ran; its past cannot be computed again',
        'seed': 'a seed is loaded whole from its file; run dbt seed --select ' ~ node.name,
        'view': 'a view stores no rows; run dbt run --select ' ~ node.name,
        'ephemeral': 'an ephemeral model stores no rows; backfill the models that read it',
        'materialized_view': 'the warehouse refreshes a materialized view; run dbt run --select ' ~ node.name,
        'dynamic_table': 'the warehouse refreshes a dynamic table; run dbt run --select ' ~ node.name,
        'external': 'an external file is written whole; run dbt run --select ' ~ node.name,
        'python': 'a Python model has no SQL that can be cut into units; run dbt run --select ' ~ node.name,
    } -%}
    {%- set kind = node.resource_type if node.resource_type != 'model' else (
        'python' if node.language == 'python' else node.config.materialized) -%}
    {%- if kind in instead -%}
        {%- do backfill_safety._refuse(node.name ~ ' cannot be backfilled in units: ' ~ instead[kind]) -%}
    {%- elif kind not in ['table', 'incremental'] -%}
        {%- do backfill_safety._refuse(
            node.name ~ " is materialized as '" ~ kind ~ "'; only table and incremental models are backfilled in units"
        ) -%}
    {%- endif -%}
{% endmacro %}


{#- A setting of the model's `meta.backfill_safety`, wherever dbt keeps meta. -#}
{% macro _meta_setting(node, name) %}
    {%- set meta = (node.config.get('meta') or node.get('meta') or {}).get('backfill_safety') or {} -%}
    {%- do return(meta.get(name)) -%}
{% endmacro %}
