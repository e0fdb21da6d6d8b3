{#- Arguments → request: everything the user decided, read and typed. It reads the catalog, never the rows. -#}
{% macro _request(arguments) %}
    {%- set node = backfill_safety._find_model(arguments.model, arguments.version) -%}
    {%- set meta = backfill_safety._meta(node) -%}
    {%- if meta -%} {%- do backfill_safety._check_meta(node, meta) -%} {%- endif -%}
    {%- do backfill_safety._check_settings(arguments) -%}
    {%- set relation = backfill_safety._find_target(node) -%}
    {%- set columns = adapter.get_columns_in_relation(relation) -%}
    {%- set column = backfill_safety._partition_column(arguments.column, node, relation, columns) -%}
    {%- set kind = backfill_safety._column_kind(column.data_type) -%}
    {%- set column_format = backfill_safety._column_format_setting(arguments, node, column, kind) -%}
    {%- set request = dict(
        arguments,
        node=node,
        relation=relation,
        columns=columns,
        column=column.name,
        column_sql=backfill_safety._quote(column.name),
        column_type=column.data_type,
        column_kind=kind,
        frame=backfill_safety._literal_frame(kind),
        column_format=column_format,
        timezone=backfill_safety._timezone_setting(arguments, node),
        vars=arguments['vars'] or backfill_safety._meta_setting(node, 'vars') or {},
        limits=dict({'units': 1000}, **arguments.limits),
        microbatch=node.config.get('incremental_strategy') == 'microbatch',
    ) -%}
    {%- do request.update({
        'grain': backfill_safety._grain_setting(arguments, node, column, kind, column_format),
        'where_sql': backfill_safety._where_setting(arguments.where, node, columns, request) if arguments.where else '',
        'key_columns': backfill_safety._key_columns(node, columns),
    }) -%}
    {%- if arguments.expect -%}
        {%- do request.update({'expect': backfill_safety._expect_setting(arguments.expect, node, columns, request.key_columns)}) -%}
    {%- endif -%}
    {%- if request.grain == 'hour' and column_format and request.timezone != 'UTC' -%}
        {%- do backfill_safety._refuse('hours kept as text repeat when the clock changes in ' ~ request.timezone
            ~ '; write timezone: UTC or grain: day') -%}
    {%- endif -%}
    {%- do request.update({'name_length': backfill_safety._name_length(request)}) -%}
    {%- do backfill_safety._window_setting(arguments, request) -%}
    {%- do backfill_safety._engine('_check_target')(request) -%}
    {%- do return(request) -%}
{% endmacro %}


{% macro _timezone_setting(arguments, node) %}
    {%- set zone = arguments.timezone or backfill_safety._meta_setting(node, 'timezone') or 'UTC' -%}
    {%- if zone != 'UTC' and zone not in modules.pytz.all_timezones_set -%}
        {%- do backfill_safety._refuse("timezone '" ~ zone ~ "' is no IANA name; write one such as Europe/Berlin or UTC") -%}
    {%- endif -%}
    {%- do return(zone) -%}
{% endmacro %}


{#- The target's columns that make up the unique_key; empty where there is none or it is an expression. -#}
{% macro _key_columns(node, columns) %}
    {%- set names = [] -%}
    {%- for name in backfill_safety._key_names(node) -%}
        {%- set column = backfill_safety._find_column(columns, name) -%}
        {%- if column is none -%} {%- do return([]) -%} {%- endif -%}
        {%- do names.append(column.name) -%}
    {%- endfor -%}
    {%- do return(names) -%}
{% endmacro %}


{#- Settings whose values, not only their shapes, can be wrong. -#}
{% macro _check_settings(arguments) %}
    {%- if arguments.run_id is not none -%} {%- do backfill_safety._check_run_id(arguments.run_id) -%} {%- endif -%}
    {%- set commit = arguments.units_per_commit -%}
    {%- if commit != 'auto' and not modules.re.match('^[1-9]\\d{0,5}$', commit | string) -%}
        {%- do backfill_safety._refuse("units_per_commit must be a whole number from 1 or auto, not '" ~ commit ~ "'") -%}
    {%- endif -%}
    {%- if arguments.replace_by is not none -%} {%- do backfill_safety._check_method(arguments.replace_by) -%} {%- endif -%}
    {%- for name in ['pause_seconds', 'seconds_per_commit'] if arguments[name] < 0 -%}
        {%- do backfill_safety._refuse(name ~ ' must not be negative, and is ' ~ arguments[name]) -%}
    {%- endfor -%}
    {%- if arguments.limits -%} {%- do backfill_safety._check_limits(arguments.limits) -%} {%- endif -%}
    {%- if arguments.expect -%} {%- do backfill_safety._check_expect(arguments.expect) -%} {%- endif -%}
    {%- if arguments.accept -%} {%- do backfill_safety._check_accept(arguments.accept) -%} {%- endif -%}
{% endmacro %}


{% macro _check_run_id(run_id) %}
    {%- if not modules.re.match('^[a-z][a-z0-9_]{0,31}$', run_id) -%}
        {%- do backfill_safety._refuse("run_id '" ~ run_id
            ~ "' must be 1 to 32 small letters, digits or underscores, beginning with a letter") -%}
    {%- endif -%}
{% endmacro %}


{% macro _check_method(method) %}
    {%- set methods = backfill_safety._replace_methods() -%}
    {%- if method not in methods -%}
        {%- do backfill_safety._refuse(
            'replace_by must be one of ' ~ methods | join(', ') ~ ' on ' ~ target.type ~ ", not '" ~ method ~ "'"
        ) -%}
    {%- endif -%}
{% endmacro %}


{% macro _check_limits(limits) %}
    {%- for name, value in limits.items() if value is not number or value <= 0 -%}
        {%- do backfill_safety._refuse('limits: ' ~ name ~ ' must be a number above 0, not ' ~ value) -%}
    {%- endfor -%}
{% endmacro %}


{% macro _check_expect(expect) %}
    {%- set shrink = expect.get('max_shrink', 0.05) -%}
    {%- if shrink is not number or shrink is boolean or shrink < 0 or shrink > 1 -%}
        {%- do backfill_safety._refuse('expect: max_shrink is a share from 0 to 1, not ' ~ shrink ~ '; write 0.05 for 5 %') -%}
    {%- endif -%}
    {%- for name in ['allow_empty', 'keep_missing'] if expect.get(name, false) is not boolean -%}
        {%- do backfill_safety._refuse('expect: ' ~ name ~ ' must be true or false, not ' ~ expect[name]) -%}
    {%- endfor -%}
{% endmacro %}


{% macro _check_accept(accept) %}
    {%- for code, reason in accept.items() if reason is not string or not reason | trim -%}
        {%- do backfill_safety._refuse("accept takes {CODE: reason}, such as {BF304: schedule is paused}, not {" ~ code ~ ': '
            ~ reason ~ '}') -%}
    {%- endfor -%}
{% endmacro %}
