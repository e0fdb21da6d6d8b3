{#- Columns whose type in the target cannot hold what the model gives, as far as the types tell: a fraction, a time of day or a text would
    silently be cut, or refused in the middle of the run. [{name, gives, holds}] -#}
{% macro _narrowed(request, found) %}
    {%- set narrowed = [] -%}
    {%- for column in found -%}
        {%- set held = backfill_safety._find_column(request.columns, column.name) -%}
        {%- set gives, holds = column.data_type | lower | trim, held.data_type | lower | trim -%}
        {%- if held is not none and gives != holds and backfill_safety._is_narrower(gives, holds) -%}
            {%- do narrowed.append({'name': column.name, 'gives': column.data_type, 'holds': held.data_type}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(narrowed) -%}
{% endmacro %}


{#- Whether a type (as lower-case text) holds less than another one. Where a query's numbers are told without a scale, or the type is none
    of those below, nobody knows and it is not. -#}
{% macro _is_narrower(gives, holds) %}
    {%- if gives == holds -%} {%- do return(false) -%} {%- endif -%}
    {%- if gives.endswith('[]') and holds.endswith('[]') -%}
        {%- do return(backfill_safety._is_narrower(gives[:-2], holds[:-2])) -%}
    {%- endif -%}
    {%- if gives.startswith('struct(') and holds.startswith('struct(') -%}
        {%- set kept = backfill_safety._fields_of_struct(holds) -%}
        {%- for name, type in backfill_safety._fields_of_struct(gives).items() -%}
            {%- if name not in kept or backfill_safety._is_narrower(type, kept[name]) -%} {%- do return(true) -%} {%- endif -%}
        {%- endfor -%}
        {%- do return(false) -%}
    {%- endif -%}
    {%- set given, held = backfill_safety._type_class(gives), backfill_safety._type_class(holds) -%}
    {%- set less = {
        'boolean': ['integer', 'decimal', 'float', 'text'],
        'integer': ['decimal', 'float', 'text'],
        'decimal': ['text'],
        'float': ['text'],
        'date': ['timestamp', 'timestamptz', 'text'],
        'timestamp': ['text'],
        'timestamptz': ['text'],
    } -%}
    {%- if given in less.get(held, []) -%} {%- do return(true) -%} {%- endif -%}
    {%- set digits = {'timestamp_s': 0, 'timestamp_ms': 3, 'timestamp': 6, 'timestamp_ns': 9} -%}
    {%- if gives in digits and holds in digits -%} {%- do return(digits[gives] > digits[holds]) -%} {%- endif -%}
    {%- set scales = modules.re.findall('\\(\\d+, ?(\\d+)\\)', gives ~ ' ' ~ holds) -%}
    {%- if held == 'decimal' and '(' in holds -%}
        {%- do return(given == 'float' or (given == 'decimal' and scales | length == 2 and scales[0] | int > scales[1] | int)) -%}
    {%- endif -%}
    {%- do return(gives.startswith('double') and modules.re.match('(float|real|float4)$', holds) is not none) -%}
{% endmacro %}


{#- {name: type} of `struct(a integer, "b" struct(c varchar))`, brackets within brackets as deep as types have them. -#}
{% macro _fields_of_struct(data_type) %}
    {%- set at = namespace(inner='[^(),"]') -%}
    {%- for _ in range(3) -%} {%- set at.inner = '(?:[^()"]|"[^"]*"|\\(' ~ at.inner ~ '*\\))' -%} {%- endfor -%}
    {%- set fields = {} -%}
    {%- for name, type in modules.re.findall('("[^"]*"|\\w+) ((?:[^(),"]|\\(' ~ at.inner ~ '*\\))+)', data_type[7:-1]) -%}
        {%- do fields.update({name | replace('"', ''): type | trim}) -%}
    {%- endfor -%}
    {%- do return(fields) -%}
{% endmacro %}


{#- boolean, integer, decimal, float, date, timestamp, timestamptz, text or other. -#}
{% macro _type_class(data_type) %}
    {%- set kind = backfill_safety._column_kind(data_type) -%}
    {%- if kind != 'other' -%} {%- do return('other' if modules.re.match('enum|uuid', data_type) else kind) -%} {%- endif -%}
    {#- unicode and longinteger are what psycopg2 calls them -#}
    {%- for class, names in [('boolean', 'bool'), ('decimal', '(big)?(decimal|numeric|number)'), ('float', 'float|double|real'),
        ('text', 'unicode'), ('integer', 'longinteger')] -%}
        {%- if modules.re.match('(' ~ names ~ ')[^\\[<]*$', data_type) -%} {%- do return(class) -%} {%- endif -%}
    {%- endfor -%}
    {%- do return('other') -%}
{% endmacro %}
