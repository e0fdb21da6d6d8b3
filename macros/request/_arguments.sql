{#- What safe_backfill may be told: name → the shapes that a value may have. Of what is listed only some words or keys are known. -#}
{% macro _known_arguments() %}
    {%- do return({
        'model': 'text',
        'version': 'text or number',
        'start': 'point',
        'end': 'point',
        'through': 'point',
        'values': 'list',
        'column': 'text',
        'grain': 'text or number',
        'timezone': 'text',
        'column_format': 'text',
        'branch': 'listed text',
        'vars': 'mapping',
        'inputs': 'mapping or text',
        'read': 'listed text',
        'where': 'mapping',
        'skip_units': 'list',
        'mode': 'listed text',
        'replace_by': 'text',
        'only_changed': 'flag',
        'order': 'listed text',
        'units_per_commit': 'text or number',
        'seconds_per_commit': 'number',
        'limits': 'listed mapping',
        'pause_seconds': 'number',
        'live': 'listed text',
        'expect': 'listed mapping',
        'hooks': 'listed text',
        'backup': 'flag',
        'cascade': 'listed text',
        'accept': 'listed mapping',
        'reason': 'text',
        'dry_run': 'flag',
        'format': 'listed text',
        'run_id': 'text',
        'worker': 'text',
    }) -%}
{% endmacro %}


{#- What an argument is that nobody gives, where it is anything. -#}
{% macro _argument_defaults() %}
    {%- do return({
        'read': 'auto',
        'skip_units': [],
        'mode': 'in_place',
        'only_changed': false,
        'order': 'ascending',
        'units_per_commit': 1,
        'seconds_per_commit': 10,
        'limits': {},
        'pause_seconds': 0,
        'live': 'running',
        'expect': {},
        'hooks': 'none',
        'backup': true,
        'cascade': 'none',
        'accept': {},
        'dry_run': false,
        'format': 'table',
    }) -%}
{% endmacro %}


{#- The words, or the keys of a mapping, that an argument knows. -#}
{% macro _listed_words() %}
    {%- do return({
        'branch': ['first', 'live'],
        'read': ['auto', 'per_unit', 'once'],
        'mode': ['in_place'],
        'order': ['ascending', 'descending'],
        'limits': ['units', 'rows', 'bytes', 'minutes'],
        'live': ['running', 'paused'],
        'expect': ['max_shrink', 'allow_empty', 'keep_missing', 'unique', 'not_null', 'sql'],
        'hooks': ['none', 'pre', 'post', 'all'],
        'cascade': ['none'],
        'accept': ['BF105', 'BF110', 'BF204', 'BF211', 'BF212', 'BF213', 'BF304', 'BF305', 'BF401', 'BF402', 'BF404', 'BF503',
            'BF505', 'BF602', 'BF603', 'BF604', 'BF606'],
        'format': ['table', 'json'],
    }) -%}
{% endmacro %}


{#- The words of a value's shape, as the shapes above are written. -#}
{% macro _shape_of(value) %}
    {%- if value is sameas true or value is sameas false -%} {%- do return('flag') -%} {%- endif -%}
    {%- if value is mapping -%} {%- do return('mapping') -%} {%- endif -%}
    {%- if value is string -%} {%- do return('text') -%} {%- endif -%}
    {%- if value is number -%} {%- do return('number') -%} {%- endif -%}
    {%- if value.isoformat is defined -%} {%- do return('date') -%} {%- endif -%}
    {%- if value is iterable -%} {%- do return('list') -%} {%- endif -%}
    {%- do return('value') -%}
{% endmacro %}


{#- The given arguments, completed by defaults. Refuses unknown names and wrong shapes. -#}
{% macro _read_arguments(given, unknown) %}
    {%- set known = backfill_safety._known_arguments() -%}
    {%- if '__backfill_safety' in given | string -%}
        {%- do backfill_safety._refuse("no argument may hold '__backfill_safety': it marks places in the SQL") -%}
    {%- endif -%}
    {%- for name in unknown -%}
        {%- do backfill_safety._refuse(
            "unknown argument '" ~ name ~ "'; write one of: " ~ known.keys() | join(', ')
        ) -%}
    {%- endfor -%}
    {%- set defaults = backfill_safety._argument_defaults() -%}
    {%- set read = {} -%}
    {%- for name, value in given.items() -%}
        {%- if value is none -%}
            {%- do read.update({name: defaults.get(name)}) -%}
        {%- else -%}
            {%- do backfill_safety._check_argument(name, value, known[name]) -%}
            {%- do read.update({name: value}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(read) -%}
{% endmacro %}


{% macro _check_argument(name, value, rule) %}
    {%- set shape = backfill_safety._shape_of(value) -%}
    {%- set is_listed = rule.startswith('listed ') -%}
    {%- set wanted = rule | replace('listed ', '') -%}
    {%- if shape not in wanted.split(' or ') and not (rule == 'point' and shape in ['text', 'number', 'date']) -%}
        {%- set wanted = 'a date, a timestamp or an integer' if rule == 'point' else 'a ' ~ wanted -%}
        {%- do backfill_safety._refuse(name ~ ' must be ' ~ wanted ~ ', not the ' ~ shape ~ ' ' ~ value) -%}
    {%- endif -%}
    {%- if is_listed or name == 'only_changed' -%} {%- do backfill_safety._check_words(name, value) -%} {%- endif -%}
{% endmacro %}


{% macro _check_words(name, value) %}
    {%- if (name, value) in [('mode', 'staged'), ('cascade', 'downstream'), ('only_changed', true)] -%}
        {%- do backfill_safety._refuse(
            name ~ ': ' ~ (value | string | lower) ~ ' is not available in this version; leave ' ~ name ~ ' out'
        ) -%}
    {%- endif -%}
    {%- set words = backfill_safety._listed_words().get(name) -%}
    {%- if value is string and value not in words -%}
        {%- do backfill_safety._refuse(name ~ " must be one of " ~ words | join(', ') ~ ", not '" ~ value ~ "'") -%}
    {%- endif -%}
    {%- for key in (value if value is mapping else []) if key not in words -%}
        {%- do backfill_safety._refuse(name ~ " knows no '" ~ key ~ "'; write one of: " ~ words | join(', ')) -%}
    {%- endfor -%}
{% endmacro %}
