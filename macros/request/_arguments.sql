{#- What safe_backfill may be told: name → default and the shapes a value may have. -#}
{% macro _known_arguments() %}
    {%- do return({
        'model': {'is': 'text'},
        'version': {'is': 'text or number'},
        'start': {'is': 'point'},
        'end': {'is': 'point'},
        'through': {'is': 'point'},
        'values': {'is': 'list'},
        'column': {'is': 'text'},
        'grain': {'is': 'text or number'},
        'timezone': {'is': 'text'},
        'column_format': {'is': 'text'},
        'branch': {'is': 'text', 'among': ['first', 'live']},
        'vars': {'is': 'mapping'},
        'inputs': {'is': 'mapping or text'},
        'read': {'is': 'text', 'among': ['auto', 'per_unit', 'once'], 'default': 'auto'},
        'where': {'is': 'mapping'},
        'skip_units': {'is': 'list', 'default': []},
        'mode': {'is': 'text', 'among': ['in_place'], 'default': 'in_place'},
        'replace_by': {'is': 'text'},
        'only_changed': {'is': 'flag', 'default': false},
        'order': {'is': 'text', 'among': ['ascending', 'descending'], 'default': 'ascending'},
        'units_per_commit': {'is': 'text or number', 'default': 1},
        'seconds_per_commit': {'is': 'number', 'default': 10},
        'limits': {'is': 'mapping', 'knows': ['units', 'rows', 'bytes', 'minutes'], 'default': {}},
        'pause_seconds': {'is': 'number', 'default': 0},
        'live': {'is': 'text', 'among': ['running', 'paused'], 'default': 'running'},
        'expect': {
            'is': 'mapping',
            'knows': ['max_shrink', 'allow_empty', 'keep_missing', 'unique', 'not_null', 'sql'],
            'default': {},
        },
        'hooks': {'is': 'text', 'among': ['none', 'pre', 'post', 'all'], 'default': 'none'},
        'backup': {'is': 'flag', 'default': true},
        'cascade': {'is': 'text', 'among': ['none'], 'default': 'none'},
        'accept': {
            'is': 'mapping',
            'knows': ['BF105', 'BF110', 'BF204', 'BF211', 'BF212', 'BF213', 'BF304', 'BF305', 'BF401', 'BF402', 'BF404', 'BF503',
                'BF505', 'BF602', 'BF603', 'BF604', 'BF606'],
            'default': {},
        },
        'reason': {'is': 'text'},
        'dry_run': {'is': 'flag', 'default': false},
        'format': {'is': 'text', 'among': ['table', 'json'], 'default': 'table'},
        'run_id': {'is': 'text'},
        'worker': {'is': 'text'},
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
    {%- set read = {} -%}
    {%- for name, rule in known.items() -%}
        {%- set value = given.get(name) -%}
        {%- if value is none -%}
            {%- do read.update({name: rule.get('default')}) -%}
        {%- else -%}
            {%- do backfill_safety._check_argument(name, value, rule) -%}
            {%- do read.update({name: value}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(read) -%}
{% endmacro %}


{% macro _check_argument(name, value, rule) %}
    {%- set shape = backfill_safety._shape_of(value) -%}
    {%- set fits = shape in rule.is.split(' or ') or (rule.is == 'point' and shape in ['text', 'number', 'date']) -%}
    {%- if not fits -%}
        {%- set wanted = 'a date, a timestamp or an integer' if rule.is == 'point' else 'a ' ~ rule.is -%}
        {%- do backfill_safety._refuse(name ~ ' must be ' ~ wanted ~ ', not the ' ~ shape ~ ' ' ~ value) -%}
    {%- endif -%}
    {%- if (name, value) in [('mode', 'staged'), ('cascade', 'downstream'), ('only_changed', true)] -%}
        {%- do backfill_safety._refuse(
            name ~ ': ' ~ (value | string | lower) ~ ' is not available in this version; leave ' ~ name ~ ' out'
        ) -%}
    {%- endif -%}
    {%- if rule.among is defined and value not in rule.among -%}
        {%- do backfill_safety._refuse(
            name ~ " must be one of " ~ rule.among | join(', ') ~ ", not '" ~ value ~ "'"
        ) -%}
    {%- endif -%}
    {%- for key in (value if rule.knows is defined else []) if key not in rule.knows -%}
        {%- do backfill_safety._refuse(
            name ~ " knows no '" ~ key ~ "'; write one of: " ~ rule.knows | join(', ')
        ) -%}
    {%- endfor -%}
{% endmacro %}
