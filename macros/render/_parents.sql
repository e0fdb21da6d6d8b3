{#- `ref` as the model would resolve it: ephemeral parents inlined, bounded parents as filtered relations. -#}
{% macro _ref() %}
    {%- set state = context['backfill_safety_render'] -%}
    {%- set name = varargs[-1] -%}
    {%- set package = varargs[0] if varargs | length == 2 else none -%}
    {%- set version = kwargs.get('version', kwargs.get('v')) -%}
    {%- set parent = backfill_safety._parent_node(state.node, name, package, version) -%}
    {%- if parent is none -%} {%- do return(state.original.ref(*varargs, **kwargs)) -%} {%- endif -%}
    {%- if parent.config.materialized == 'ephemeral' and parent.resource_type == 'model' -%}
        {%- do return(backfill_safety._ephemeral(parent)) -%}
    {%- endif -%}
    {%- if parent.access == 'private' or parent.version is defined and parent.version is not none -%}
        {%- set relation = api.Relation.create_from(state.original.ref.config, state.original.ref.manifest.nodes[parent.unique_id]) -%}
    {%- else -%}
        {%- set relation = state.original.ref(parent.package_name, parent.name) -%}
    {%- endif -%}
    {%- do return(backfill_safety._read_parent(relation, parent.unique_id)) -%}
{% endmacro %}


{% macro _source(source_name, table_name) %}
    {%- set state = context['backfill_safety_render'] -%}
    {%- set relation = state.original.source(source_name, table_name) -%}
    {%- for id in state.node.depends_on.nodes if id in graph.sources -%}
        {%- set parent = graph.sources[id] -%}
        {%- if parent.source_name == source_name and parent.name == table_name -%}
            {%- do return(backfill_safety._read_parent(relation, id)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(relation) -%}
{% endmacro %}


{#- The one parent that a ref means; none where the model's parents do not tell. -#}
{% macro _parent_node(node, name, package, version) %}
    {%- set found = [] -%}
    {%- for id in node.depends_on.nodes if id in graph.nodes -%}
        {%- set parent = graph.nodes[id] -%}
        {%- set same = parent.name == name and (package is none or parent.package_name == package) -%}
        {%- if same and (version is none or parent.version | string == version | string) -%} {%- do found.append(parent) -%} {%- endif -%}
    {%- endfor -%}
    {%- if found | length > 1 and version is none -%}
        {%- for parent in found if parent.version | string == parent.latest_version | string -%} {%- do return(parent) -%} {%- endfor -%}
    {%- endif -%}
    {%- do return(found[0] if found | length == 1 else none) -%}
{% endmacro %}


{#- An ephemeral parent's SQL, rendered in its own right, as a CTE in front. -#}
{% macro _ephemeral(parent) %}
    {%- set state = context['backfill_safety_render'] -%}
    {%- set cte = '__dbt__cte__' ~ (parent.alias or parent.name) -%}
    {%- if cte not in state.ctes -%}
        {%- set child, names = state.node, ['model', 'this', 'database', 'schema'] -%}
        {%- set saved = {} -%}
        {%- for name in names -%} {%- do saved.update({name: context[name]}) -%} {%- endfor -%}
        {%- do state.update({'node': parent}) -%}
        {%- do context.update({'model': parent, 'database': parent.database, 'schema': parent.schema,
            'this': api.Relation.create(database=parent.database, schema=parent.schema, identifier=parent.alias)}) -%}
        {%- set sql = backfill_safety._alias_bounded(backfill_safety._render_text(parent)) -%}
        {%- do context.update(saved) -%}
        {%- do state.update({'node': child}) -%}
        {%- do state.ctes.update({cte: sql}) -%}
    {%- endif -%}
    {%- do return(api.Relation.create(identifier=cte, type='cte').quote(identifier=false).include(database=false, schema=false)) -%}
{% endmacro %}


{#- A parent's relation; where an input is declared for it, still a relation, but one that reads only the unit's rows. -#}
{% macro _read_parent(relation, id) %}
    {%- set state = context['backfill_safety_render'] -%}
    {%- do state.reads.update({id: relation | string}) -%}
    {%- set input = state.options.inputs.get(id) -%}
    {%- if input is none or input is not defined -%} {%- do return(relation) -%} {%- endif -%}
    {%- set predicate = backfill_safety._bound_predicate(input, state) -%}
    {%- do return(backfill_safety._filtered(relation, predicate)) -%}
{% endmacro %}


{#- dbt renders a relation's event-time filter as "field >= 'start'" with bounds as text. Ours are literals of the
    column's own type: they go where the field's name goes, and the rest is a comparison that is always true. -#}
{% macro _filtered(relation, predicate) %}
    {%- set donor = api.Relation.create(
        identifier='donor',
        event_time_filter={'field_name': predicate ~ " and 'bounded'", 'start': '0001-01-01T00:00:00'}
    ) -%}
    {%- do return(relation.replace(event_time_filter=donor.event_time_filter, require_alias=false)) -%}
{% endmacro %}


{#- A filtered relation is a subquery: where the model gave it no alias it is named as its table, so that
    `table.column` still means it and engines that ask for an alias have one. Before a dot it is no table but that name. -#}
{% macro _alias_bounded(sql) %}
    {%- set end = "and 'bounded' >= '0001-01-01 00:00:00')" -%}
    {%- set parts = sql.split(end) -%}
    {%- if parts | length == 1 -%} {%- do return(sql) -%} {%- endif -%}
    {%- set keywords = 'where|group|order|having|qualify|limit|join|left|right|inner|outer|full|cross|natural|on|using|union|except'
        ~ '|intersect|window|lateral|tablesample|fetch|offset|asof|positional|anti|semi|sample|pivot|unpivot|select' -%}
    {%- set named = '(?s)^(?:\\s|--[^\\n]*\\n|/\\*.*?\\*/)*(as\\s+[\\w"`\\[]|["`\\[]|(?!(?:' ~ keywords ~ ')\\b)[a-z_]\\w*)' -%}
    {%- set out = [parts[0]] -%}
    {%- for part in parts[1:] -%}
        {%- set before, bounded = out[-1].rsplit('(select * from ', 1) -%}
        {%- set table = bounded.split(' where ')[0].split('.')[-1] -%}
        {%- set is_name = modules.re.match('^["`\\[]?[\\w$ -]+["`\\]]?$', table) -%}
        {%- if is_name and part.startswith('.') -%}
            {%- do out.pop() -%}
            {%- do out.append(before ~ table ~ part) -%}
        {%- elif before.endswith("'") and part.startswith("'") -%}
            {#- a text that names the parent -#}
            {%- do out.pop() -%}
            {%- do out.append(before ~ bounded.split(' where ')[0] ~ part) -%}
        {%- else -%}
            {%- set alias = ' as ' ~ table if is_name and not modules.re.match(named, part | lower) else '' -%}
            {%- do out.append(')' ~ alias ~ part) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(out | join) -%}
{% endmacro %}
