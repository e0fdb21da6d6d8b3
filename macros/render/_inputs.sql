{#- `inputs` → {unique_id: input}: what bounds the read of each parent. Refuses names that the model does not read. -#}
{% macro _inputs(request) %}
    {%- set declared = request.inputs if request.inputs is not none else backfill_safety._meta_setting(request.node, 'inputs') -%}
    {%- if declared is none and not request.microbatch -%} {%- do return({}) -%} {%- endif -%}
    {%- if declared is not mapping -%} {%- do return(backfill_safety._inputs_by_event_time(declared, request)) -%} {%- endif -%}
    {%- set parents = backfill_safety._readable_parents(request.node) -%}
    {%- set inputs = {} -%}
    {%- for name, given in declared.items() -%}
        {%- set found = [] -%}
        {%- for parent in parents if name in backfill_safety._parent_names(parent) -%} {%- do found.append(parent) -%} {%- endfor -%}
        {%- if found | length != 1 -%} {%- do backfill_safety._refuse_parent(name, parents, request.node) -%} {%- endif -%}
        {%- set given = {'column': given} if given is string else given -%}
        {%- do inputs.update({found[0].unique_id: backfill_safety._input(found[0], given, request)}) -%}
    {%- endfor -%}
    {%- do return(inputs) -%}
{% endmacro %}


{% macro _refuse_parent(name, parents, node) %}
    {%- set names = [] -%}
    {%- for parent in parents -%} {%- do names.append(backfill_safety._parent_names(parent)[0]) -%} {%- endfor -%}
    {%- do backfill_safety._refuse("inputs names '" ~ name ~ "', which " ~ node.name ~ ' does not read; write one of '
        ~ (names | sort | join(', ') or 'none: it reads nothing')) -%}
{% endmacro %}


{#- What the parents say themselves: for a microbatch, or where `inputs` is that word. -#}
{% macro _inputs_by_event_time(declared, request) %}
    {%- if declared not in [none, 'event_time'] -%}
        {%- do backfill_safety._refuse("inputs must be a mapping or event_time, not '" ~ declared ~ "'") -%}
    {%- endif -%}
    {%- set parents = backfill_safety._readable_parents(request.node) -%}
    {%- set inputs = {} -%}
    {%- for parent in parents if parent.config.get('event_time') and parent.unique_id in request.node.depends_on.nodes -%}
        {%- do inputs.update({parent.unique_id: backfill_safety._input(parent, {'column': parent.config.event_time}, request)}) -%}
    {%- endfor -%}
    {%- if declared is not none and not inputs -%}
        {%- set instead = 'name a column instead: inputs: {' ~ backfill_safety._parent_names(parents[0])[0] ~ ': column}'
            if parents else 'leave inputs out' -%}
        {%- do backfill_safety._refuse('inputs: event_time bounds nothing: no parent of ' ~ request.node.name
            ~ ' declares an event_time; ' ~ instead) -%}
    {%- endif -%}
    {%- do return(inputs) -%}
{% endmacro %}


{#- The parents whose rows a model reads: its own and, through ephemeral ones, theirs. -#}
{% macro _readable_parents(node) %}
    {%- set found = [] -%}
    {%- for id in node.depends_on.nodes -%}
        {%- set parent = graph.nodes.get(id) or graph.sources.get(id) -%}
        {%- if parent and parent.resource_type == 'model' and parent.config.materialized == 'ephemeral' -%}
            {%- for inner in backfill_safety._readable_parents(parent) if inner not in found -%}
                {%- do found.append(inner) -%}
            {%- endfor -%}
        {%- elif parent and parent not in found -%}
            {%- do found.append(parent) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(found) -%}
{% endmacro %}


{% macro _parent_names(parent) %}
    {%- if parent.resource_type == 'source' -%}
        {%- do return([parent.source_name ~ '.' ~ parent.name, parent.unique_id]) -%}
    {%- endif -%}
    {%- do return([parent.name, parent.package_name ~ '.' ~ parent.name, parent.unique_id]) -%}
{% endmacro %}


{% macro _check_input(label, given) %}
    {%- if given is not mapping or given.get('column') is not string -%}
        {%- do backfill_safety._refuse(label ~ ' takes a column name, or {column: …, lookback: 3 days}, not ' ~ given) -%}
    {%- endif -%}
    {%- for key in given if key not in ['column', 'lookback', 'lookahead', 'column_format'] -%}
        {%- do backfill_safety._refuse(label ~ " knows no '" ~ key ~ "'; write column, lookback, lookahead or column_format") -%}
    {%- endfor -%}
{% endmacro %}


{% macro _input(parent, given, request) %}
    {%- set name = backfill_safety._parent_names(parent)[0] -%}
    {%- set label = 'inputs: ' ~ name -%}
    {%- if given is not mapping or given.keys() | list != ['column'] or given.column is not string -%}
        {%- do backfill_safety._check_input(label, given) -%}
    {%- endif -%}
    {%- set relation = adapter.get_relation(parent.database, parent.schema, parent.get('identifier') or parent.alias) -%}
    {%- if relation is none -%}
        {%- do backfill_safety._refuse(label
            ~ ' has no relation in the warehouse that could be bounded; leave it out of inputs, or build it first') -%}
    {%- endif -%}
    {%- set columns = adapter.get_columns_in_relation(relation) -%}
    {%- set column = backfill_safety._find_column(columns, given.column) -%}
    {%- if column is none -%}
        {%- do backfill_safety._refuse(
            label ~ " has no column '" ~ given.column ~ "'; write one of " ~ backfill_safety._name_list(columns | map(attribute='name'))
        ) -%}
    {%- endif -%}
    {%- set kind = backfill_safety._column_kind(column.data_type) -%}
    {%- if given.get('column_format') -%}
        {%- do backfill_safety._check_column_format(label ~ ' column_format', given.column_format, column, kind) -%}
    {%- endif -%}
    {%- set input = {
        'name': name,
        'relation': relation | string,
        'column': column.name,
        'column_sql': backfill_safety._quote(column.name),
        'kind': kind,
        'column_format': given.get('column_format'),
    } -%}
    {%- for side in ['lookback', 'lookahead'] if given.get(side) -%}
        {%- do input.update({side: backfill_safety._read_widening(label ~ ' ' ~ side, given[side], request)}) -%}
    {%- endfor -%}
    {%- if request.grain is number or request.grain == 'value' or kind not in ['date', 'timestamp', 'timestamptz'] -%}
        {%- do backfill_safety._refuse_unless_comparable(input, label, request) -%}
    {%- endif -%}
    {%- do return(input) -%}
{% endmacro %}


{#- A date bounds no integer and an integer no date. -#}
{% macro _refuse_unless_comparable(input, label, request) %}
    {%- if request.grain == 'value' -%}
        {%- set fits = input.kind == request.column_kind -%}
    {%- elif request.grain is number -%}
        {%- set fits = input.kind == 'integer' -%}
    {%- else -%}
        {%- set fits = input.kind in ['date', 'timestamp', 'timestamptz'] or input.column_format -%}
    {%- endif -%}
    {%- if not fits -%}
        {%- do backfill_safety._refuse(
            label ~ '.' ~ input.column ~ ' (' ~ input.kind ~ ') cannot be bounded by units of ' ~ request.column ~ ' ('
                ~ request.column_kind
            ~ '); name a column of the same kind, or add column_format'
        ) -%}
    {%- endif -%}
{% endmacro %}
