{#- What can be replaced on ClickHouse: units that are whole partitions of a MergeTree table. Everything else is refused with the way
    out. Engines that merge rows away (Replacing…, Summing…) hold other rows after a merge than were written, so that nothing could be
    compared; replicated, shared and distributed ones have not been tried.
    https://clickhouse.com/docs/engines/table-engines/mergetree-family -#}
{% macro clickhouse___check_target(request) %}
    {%- set relation = request.relation -%}
    {%- set found = backfill_safety._clickhouse_table(relation) -%}
    {%- if adapter.get_clickhouse_cluster_name() -%}
        {%- do backfill_safety._refuse('the profile names a cluster (' ~ adapter.get_clickhouse_cluster_name()
            ~ '), and a backfill would replace the partitions of one node; clusters are not supported yet') -%}
    {%- endif -%}
    {%- if found.engine != 'MergeTree' -%}
        {%- do backfill_safety._refuse(relation ~ ' is a ' ~ (found.engine or 'table of no known engine')
            ~ '; only MergeTree tables are replaced here: set engine: MergeTree() and rebuild it once') -%}
    {%- endif -%}
    {%- if not found.parts -%}
        {%- do backfill_safety._refuse(relation ~ ' has no partitions, and they are what is replaced; set partition_by: toYYYYMM('
            ~ request.column ~ ') and rebuild it once') -%}
    {%- endif -%}
    {%- do backfill_safety._refuse_cut_partitions(request, found) -%}
    {%- set bare = found.parts | selectattr('step', 'none') | map(attribute='column') | list -%}
    {%- for name in request.where or {} if backfill_safety._find_column(request.columns, name | string).name not in bare -%}
        {%- do backfill_safety._refuse('where: ' ~ name ~ ' cuts the partitions of ' ~ relation ~ ' (' ~ found.key
            ~ '), which are replaced whole; leave it out') -%}
    {%- endfor -%}
    {%- if not request.backup -%}
        {%- do backfill_safety._refuse('backup: false is not available on ' ~ target.type
            ~ ': without transactions, the backup is all that is left of a unit when a run is killed; leave backup out') -%}
    {%- endif -%}
    {%- if request.expect.get('keep_missing') -%}
        {%- do backfill_safety._refuse('expect: keep_missing is not available on ' ~ target.type
            ~ '; write max_shrink, or skip_units') -%}
    {%- endif -%}
    {%- do context.update({'backfill_safety_query_settings': request.node.config.get('query_settings') or {}}) -%}
    {#- joining units saves nothing where a commit cannot hold them together -#}
    {%- do request.update({'units_per_commit': 1}) -%}
{% endmacro %}


{#- Units must be made of whole partitions: the part of the key that has the column, its step and its zone must fit the grain. -#}
{% macro _refuse_cut_partitions(request, found) %}
    {%- set head = 'partitions of ' ~ request.relation ~ ' (' ~ found.key ~ ') are replaced whole' -%}
    {%- set parts = found.parts | selectattr('column', 'equalto', request.column) | list -%}
    {%- set others = found.parts | selectattr('column') | map(attribute='column') | list -%}
    {%- if not parts and found.parts | selectattr('column', 'none') | list -%}
        {%- do backfill_safety._refuse(head ~ ', and that key is not understood; partition by a column, or by one of '
            ~ backfill_safety._clickhouse_steps().keys() | join(', ') ~ ' of it') -%}
    {%- elif not parts -%}
        {%- do backfill_safety._refuse(head ~ ', and units of ' ~ request.column ~ ' would cut them; write column: ' ~ others[0]) -%}
    {%- endif -%}
    {%- set part = parts[0] -%}
    {%- set grain = request.grain -%}
    {%- do context.update({'backfill_safety_unit_is_partition': found.parts | length == 1 and grain == (part.step or grain)
        and (part.step is not none or grain == 'value' or (grain, request.column_kind) in [('day', 'date'), (1, 'integer')]
            or (grain == 'day' and request.column_format is not none and '%H' not in request.column_format))}) -%}
    {%- if part.step is none -%} {%- do return(none) -%} {%- endif -%}
    {%- if grain == 'value' or (grain is number) != (part.step is number) -%}
        {%- do backfill_safety._refuse(head ~ ', and ' ~ ('values' if grain == 'value' else 'units of ' ~ grain)
            ~ ' would cut them; write ' ~ ('start and end, with grain: ' ~ part.step)) -%}
    {%- endif -%}
    {%- set fits = grain % part.step == 0 if grain is number else grain in backfill_safety._coarser_grains()[part.step] -%}
    {%- if not fits -%}
        {%- do backfill_safety._refuse(head ~ ', and ' ~ ('a range of ' ~ grain if grain is number else 'a ' ~ grain)
            ~ ' would cut one; write grain: ' ~ part.step ~ backfill_safety._aligned_words(request, part.step)) -%}
    {%- endif -%}
    {%- set zone = part.zone or found.zones[request.column] -%}
    {%- if request.column_kind == 'timestamptz' and not backfill_safety._is_same_zone(zone, request.timezone) -%}
        {%- do backfill_safety._refuse(head ~ ' and begin by the clock of ' ~ zone ~ ', not of ' ~ request.timezone
            ~ '; write timezone: ' ~ zone) -%}
    {%- endif -%}
{% endmacro %}


{#- The window on the boundaries of a coarser grain. -#}
{% macro _aligned_words(request, step) %}
    {%- if step is number -%}
        {%- do return(', start: ' ~ (request.start - request.start % step) ~ ', end: ' ~ (request.end + -1 * request.end % step)) -%}
    {%- endif -%}
    {%- do return(', start: ' ~ backfill_safety._point_text(backfill_safety._floor(request.start, step)) ~ ', end: '
        ~ backfill_safety._point_text(backfill_safety._ceiling(request.end, step))) -%}
{% endmacro %}


{#- Which grains are made of whole units of another. -#}
{% macro _coarser_grains() %}
    {%- do return({
        'hour': ['hour', 'day', 'week', 'month', 'quarter', 'year'], 'day': ['day', 'week', 'month', 'quarter', 'year'],
        'week': ['week'], 'month': ['month', 'quarter', 'year'], 'quarter': ['quarter', 'year'], 'year': ['year'],
    }) -%}
{% endmacro %}


{% macro _is_same_zone(one, other) %}
    {%- set utc = ['UTC', 'Etc/UTC', 'Zulu', 'GMT', 'Etc/GMT', 'UCT', 'Universal', 'Etc/Universal', 'Greenwich'] -%}
    {%- do return(one == other or (one in utc and other in utc)) -%}
{% endmacro %}


{#- {engine, key, parts: [{column, step, zone}], zones: {column: zone}} of a table. -#}
{% macro _clickhouse_table(relation) %}
    {%- set named = backfill_safety._quoted(relation.schema) ~ ' and {} = ' ~ backfill_safety._quoted(relation.identifier) -%}
    {%- set row = backfill_safety._fetch('select engine, partition_key, serverTimeZone() from system.tables where database = '
        ~ named.replace('{}', 'name')) | first | default(['', '', 'UTC']) -%}
    {%- set zones = {} -%}
    {%- for name, type in backfill_safety._fetch('select name, type from system.columns where database = '
        ~ named.replace('{}', 'table')) -%}
        {%- set zone = modules.re.search("DateTime(?:64)?\\((?:\\d+, ?)?'([^']+)'\\)", type) -%}
        {%- do zones.update({name: zone.group(1) if zone else row[2]}) -%}
    {%- endfor -%}
    {%- do return({'engine': row[0], 'key': backfill_safety._split_key(row[1]) | join(', '), 'zones': zones,
        'parts': backfill_safety._clickhouse_key_parts(row[1])}) -%}
{% endmacro %}


{#- A partition key → [{column, step, zone}] of its parts. The step is a grain, the width of an integer range, or none where each value
    is a partition; the column is none where a part is not understood. -#}
{% macro _clickhouse_key_parts(key) %}
    {%- set parts = [] -%}
    {%- for text in backfill_safety._split_key(key) if text != 'tuple()' -%}
        {%- set name = backfill_safety._key_column(text) -%}
        {%- set call = modules.re.match('(\\w+)\\((.*)\\)$', text, modules.re.DOTALL) -%}
        {%- if name is not none -%} {%- do parts.append({'column': name, 'step': none, 'zone': none}) -%}
        {%- else -%} {%- do parts.append(backfill_safety._key_part(call.group(1), backfill_safety._split_key(call.group(2)))
            if call else {'column': none, 'step': none, 'zone': none}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(parts) -%}
{% endmacro %}


{#- A call with its arguments → {column, step, zone}. -#}
{% macro _key_part(name, arguments) %}
    {%- set unknown = {'column': none, 'step': none, 'zone': none} -%}
    {%- set texts = [] -%}
    {%- for argument in arguments -%} {%- do texts.append(argument.strip("'")) -%} {%- endfor -%}
    {%- set known = backfill_safety._clickhouse_steps() -%}
    {%- if name in known -%}
        {%- set column, step, zone = backfill_safety._key_column(arguments[0]), known[name], texts[1] if texts | length == 2 else none -%}
    {%- elif name in ['dateTrunc', 'date_trunc'] and texts | length > 1 -%}
        {%- set column, step, zone = backfill_safety._key_column(arguments[1]), texts[0] | lower,
            texts[2] if texts | length == 3 else none -%}
    {%- elif name == 'toStartOfInterval' and texts | length > 1 and modules.re.match('toInterval\\w+\\(1\\)$', texts[1]) -%}
        {%- set column, step, zone = backfill_safety._key_column(arguments[0]), texts[1][10:-3] | lower,
            texts[2] if texts | length == 3 else none -%}
    {%- elif name in ['toStartOfWeek', 'toLastDayOfWeek'] and texts | length > 1 and texts[1] in ['1', '3', '5', '7'] -%}
        {%- set column, step, zone = backfill_safety._key_column(arguments[0]), 'week', texts[2] if texts | length == 3 else none -%}
    {%- elif name == 'CAST' and texts | length == 2 and texts[1] in ['Date', 'Date32'] -%}
        {%- set column, step, zone = backfill_safety._key_column(arguments[0]), 'day', none -%}
    {%- elif name == 'intDiv' and modules.re.match('[1-9]\\d*$', texts[1]) -%}
        {%- set column, step, zone = backfill_safety._key_column(arguments[0]), texts[1] | int, none -%}
    {%- else -%}
        {%- do return(unknown) -%}
    {%- endif -%}
    {%- if column is none or not (step is number or step in backfill_safety._coarser_grains()) -%} {%- do return(unknown) -%} {%- endif -%}
    {%- do return({'column': column, 'step': step, 'zone': zone}) -%}
{% endmacro %}


{#- Each is the same within a grain and another in the next.
    https://clickhouse.com/docs/sql-reference/functions/date-time-functions -#}
{% macro _clickhouse_steps() %}
    {%- do return({
        'toYYYYMM': 'month', 'toStartOfMonth': 'month', 'toLastDayOfMonth': 'month', 'toYYYYMMDD': 'day', 'toDate': 'day',
        'toDate32': 'day', 'toStartOfDay': 'day', 'toRelativeDayNum': 'day', 'toMonday': 'week', 'toStartOfQuarter': 'quarter',
        'toYear': 'year', 'toStartOfYear': 'year', 'toStartOfHour': 'hour', 'toRelativeHourNum': 'hour',
    }) -%}
{% endmacro %}


{#- A column's name as it stands in a key, quoted or not; none for anything else. -#}
{% macro _key_column(text) %}
    {%- if modules.re.match('[A-Za-z_]\\w*$', text) -%} {%- do return(text) -%} {%- endif -%}
    {%- if modules.re.match('`(?:[^`\\\\]|\\\\.)+`$', text) -%}
        {%- do return(modules.re.sub('\\\\(.)', '\\1', text[1:-1])) -%}
    {%- endif -%}
    {%- do return(none) -%}
{% endmacro %}


{#- A list in SQL, in brackets or not, cut at its commas. -#}
{% macro _split_key(text) %}
    {%- set items = [''] -%}
    {%- set at = namespace(depth=0, wraps=text.startswith('(') and text.endswith(')')) -%}
    {%- for token in modules.re.findall("'(?:[^'\\\\]|\\\\.)*'|`(?:[^`\\\\]|\\\\.)*`|\\s+|\\w+|.", text) -%}
        {%- if token == ')' -%} {%- set at.depth = at.depth - 1 -%} {%- endif -%}
        {%- if at.depth == 0 and items[-1] and not loop.last -%} {%- set at.wraps = at.wraps and token != ')' -%} {%- endif -%}
        {%- if token == '(' -%} {%- set at.depth = at.depth + 1 -%} {%- endif -%}
        {%- if token == ',' and at.depth == 0 -%} {%- do items.append('') -%}
        {%- else -%} {%- do items.append(items.pop() ~ token) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if at.wraps -%} {%- do return(backfill_safety._split_key(text[1:-1])) -%} {%- endif -%}
    {%- do return(items | map('trim') | select | list) -%}
{% endmacro %}


{#- A reader sees the old rows of a partition or its new ones; of several partitions some may be old and some new. -#}
{% macro clickhouse___overwrites_at_once() %}
    {%- do return(context.get('backfill_safety_unit_is_partition', true)) -%}
{% endmacro %}


{#- The columns inside of a partition key, as the model's config writes it. -#}
{% macro clickhouse___partitioned_columns(text) %}
    {%- set columns = backfill_safety._clickhouse_key_parts(text) | map(attribute='column') | select | list -%}
    {%- do return(columns or [text]) -%}
{% endmacro %}


{#- The grain of the partitions that the table has: nothing finer is replaced. -#}
{% macro clickhouse___partition_grain(node, column) %}
    {%- set relation = adapter.get_relation(node.database, node.schema, node.alias or node.name) -%}
    {%- for part in backfill_safety._clickhouse_table(relation).parts if part.column == column -%}
        {%- do return(part.step) -%}
    {%- endfor -%}
    {%- do return(none) -%}
{% endmacro %}
