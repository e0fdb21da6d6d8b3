{#- The graph node that `model` (and `version`) names; refuses what cannot be backfilled in units. -#}
{% macro _find_model(name, version) %}
    {%- if not name -%}
        {%- do backfill_safety._refuse("model is missing; write --args '{model: …, start: …, end: …}'") -%}
    {%- endif -%}
    {%- set named = [] -%}
    {%- for node in graph.nodes.values() if node.resource_type in ['model', 'snapshot', 'seed'] -%}
        {%- set has_version = node.version is defined and node.version is not none -%}
        {%- if name in [node.name, node.package_name ~ '.' ~ node.name, node.unique_id]
            or (has_version and name == node.name ~ '.v' ~ node.version) -%}
            {%- do named.append(node) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set node = named[0] if named | length == 1 and version is none else backfill_safety._one_of_several(name, version, named) -%}
    {%- set kind = node.config.materialized if node.resource_type == 'model' and node.language != 'python' else none -%}
    {%- if kind not in ['table', 'incremental'] -%} {%- do backfill_safety._refuse_kind(node) -%} {%- endif -%}
    {%- do return(node) -%}
{% endmacro %}


{#- Of the nodes that bear a name the one that `version` names, or the latest; refuses where that is none or several. -#}
{% macro _one_of_several(name, version, named) %}
    {%- set found = [] -%}
    {%- for node in named if version is none or node.version | string == version | string -%} {%- do found.append(node) -%} {%- endfor -%}
    {%- if version is none and found | length > 1 -%}
        {%- set latest = [] -%}
        {%- for node in found if node.version | string == node.latest_version | string and node.version is not none -%}
            {%- do latest.append(node) -%}
        {%- endfor -%}
        {%- set found = latest if latest | length == 1 else found -%}
    {%- endif -%}
    {%- if found | length == 1 -%} {%- do return(found[0]) -%} {%- endif -%}
    {%- if found -%}
        {%- do backfill_safety._refuse(
            "'" ~ name ~ "' names " ~ found | length ~ ' models; write one of: ' ~ found | map(attribute='unique_id') | sort | join(', ')
        ) -%}
    {%- elif named -%}
        {%- set known = named | map(attribute='version') | select('defined') | reject('none') | map('string') | sort -%}
        {%- do backfill_safety._refuse(name ~ (' has no version ' ~ version ~ '; write version: ' ~ known | join(' or ') if known
            else ' has no versions; leave version out')) -%}
    {%- endif -%}
    {%- set others = graph.nodes.values() | selectattr('resource_type', 'in', ['model', 'snapshot', 'seed']) | map(attribute='name') -%}
    {%- set near = backfill_safety._alike(name.split('.')[-1], others | list) -%}
    {%- do backfill_safety._refuse("no model '" ~ name ~ "' in this project; " ~ ('did you mean '
        ~ backfill_safety._name_list(near) if near else 'dbt ls shows the names')) -%}
{% endmacro %}


{#- The names that begin as a word does, as far as any of them does so; empty where that is less than three letters. -#}
{% macro _alike(word, names) %}
    {%- set at = namespace(near=[]) -%}
    {%- for length in range(word | length, 2, -1) if not at.near -%}
        {%- for name in names if name[:length] == word[:length] -%} {%- do at.near.append(name) -%} {%- endfor -%}
    {%- endfor -%}
    {%- do return(at.near | unique | sort) -%}
{% endmacro %}


{% macro _refuse_kind(node) %}
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
    {%- endif -%}
    {%- do backfill_safety._refuse(
        node.name ~ " is materialized as '" ~ kind ~ "'; only table and incremental models are backfilled in units"
    ) -%}
{% endmacro %}


{#- Settings of meta that the operation knows, in the shapes of the arguments; the checker's own, `allow`, stands beside them. -#}
{% macro _check_meta(node, meta) %}
    {%- if meta is not mapping -%}
        {%- do backfill_safety._refuse('meta.backfill_safety of ' ~ node.name ~ ' must be a mapping such as {column: order_date}, not '
            ~ meta) -%}
    {%- endif -%}
    {%- set known = {'watermark': 'text or list', 'volatile': 'list', 'allow': 'list'} -%}
    {%- for name in ['column', 'grain', 'timezone', 'column_format', 'vars', 'inputs'] -%}
        {%- do known.update({name: backfill_safety._known_arguments()[name]}) -%}
    {%- endfor -%}
    {%- for name, value in meta.items() if value is not none -%}
        {%- if name not in known -%}
            {%- do backfill_safety._refuse("meta.backfill_safety of " ~ node.name ~ " knows no '" ~ name ~ "'; write one of: "
                ~ known.keys() | join(', ')) -%}
        {%- endif -%}
        {%- do backfill_safety._check_argument('meta.backfill_safety of ' ~ node.name ~ ': ' ~ name, value, known[name]) -%}
    {%- endfor -%}
{% endmacro %}


{#- A setting of the model's `meta.backfill_safety`, wherever dbt keeps meta. -#}
{% macro _meta_setting(node, name) %}
    {%- do return(backfill_safety._meta(node).get(name)) -%}
{% endmacro %}


{% macro _meta(node) %}
    {%- do return((node.config.get('meta') or node.get('meta') or {}).get('backfill_safety') or {}) -%}
{% endmacro %}
