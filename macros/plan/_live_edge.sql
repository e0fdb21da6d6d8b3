{#- The live edge: {text, ends_before}. No live run writes rows whose partition column lies before it; `ends_before` tells whether the
    window does. None where it cannot be told, and where nobody has to know. -#}
{% macro _live_edge(plan) %}
    {%- set request = plan.request -%}
    {%- set asked = backfill_safety._can_take_turns() and not backfill_safety._is_guarded(request.node) -%}
    {%- if not asked or request.grain == 'value' or request.column_format or request['vars'] -%} {%- do return(none) -%} {%- endif -%}
    {%- set edge = backfill_safety._oldest_batch_sql(request) if request.microbatch else backfill_safety._lower_bound_sql(plan) -%}
    {%- if edge is none -%} {%- do return(none) -%} {%- endif -%}
    {%- set last = request.frame[0] ~ plan.bounds[-1] ~ request.frame[1] -%}
    {#- what a live run would write now is looked at as well: the filter may hold for a part of the rows alone -#}
    {%- set strays = '0' if request.microbatch else '(select count(*) from (select 1 from (\n' ~ plan.live.sql ~ '\n) as live_rows where '
        ~ backfill_safety._units_predicate(request, plan.bounds, 0, plan.slots - 1) ~ ' limit 1) as strays)' -%}
    {%- set text, ends_before, strays = backfill_safety._fetch('select cast(edge as ' ~ dbt.type_string() ~ '), edge >= ' ~ last ~ ', '
        ~ strays ~ ' from (select ' ~ edge ~ ' as edge) as live')[0] -%}
    {%- if text is none or (strays and ends_before) -%} {%- do return(none) -%} {%- endif -%}
    {%- do return({'text': text, 'ends_before': ends_before}) -%}
{% endmacro %}


{#- A live run of a microbatch model does the current batch and `lookback` before it, whatever the table holds.
    https://docs.getdbt.com/docs/build/incremental-microbatch: lookback -#}
{% macro _oldest_batch_sql(request) %}
    {%- set size = request.node.config.batch_size -%}
    {%- set now = modules.datetime.datetime.now(modules.pytz.utc).replace(tzinfo=none, microsecond=0) -%}
    {%- set at = namespace(point=backfill_safety._floor(now, size)) -%}
    {%- for _ in range(request.node.config.get('lookback', 1) | int) -%}
        {%- set at.point = backfill_safety._floor(at.point - modules.datetime.timedelta(minutes=1), size) -%}
    {%- endfor -%}
    {%- do return(backfill_safety._literal(at.point.isoformat(' ')[:10 if request.column_kind == 'date' else 19], request.column_kind)) -%}
{% endmacro %}


{#- What the live run's filter holds the partition column to, as SQL that can be asked by itself: `… > (select max(order_date) from this)`
    with a span off it, a literal, or the clock. None where the first build has a filter of its own, where more than constants and the
    maximum are in it, or where what is filtered is not plainly what becomes the partition column. -#}
{% macro _lower_bound_sql(plan) %}
    {%- set request = plan.request -%}
    {%- if request.node.config.materialized != 'incremental' or plan.differences | rejectattr('filter') | list -%}
        {%- do return(none) -%}
    {%- endif -%}
    {%- set text = modules.re.sub('(?i)\\bmax \\( [^()]* \\)', '', backfill_safety._plain_lines(plan.live.sql) | join(' ')) -%}
    {%- for hunk in plan.differences -%}
        {%- for part in backfill_safety._conjuncts(hunk.live) -%}
            {%- set match = modules.re.match('(?is)([^<>=]+?) >=? (.+)$', part) -%}
            {%- if match and backfill_safety._becomes_column(match.group(1), text, request) -%}
                {%- set bound = match.group(2) -%}
                {%- if backfill_safety._stands_alone(bound, request) -%}
                    {%- do return('cast(' ~ bound ~ ' as ' ~ request.column_type ~ ')') -%}
                {%- endif -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(none) -%}
{% endmacro %}


{#- The conditions that a filter joins by `and`, without the words that join them. -#}
{% macro _conjuncts(filter) %}
    {%- set at = namespace(depth=0) -%}
    {%- set parts = [[]] -%}
    {%- for word in filter.split() -%}
        {%- set at.depth = at.depth + (1 if word == '(' else (-1 if word == ')' else 0)) -%}
        {%- if at.depth == 0 and word | lower in ['and', 'where', 'having'] -%} {%- do parts.append([]) -%}
        {%- else -%} {%- do parts[-1].append(word) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set texts = [] -%}
    {%- for words in parts if words -%} {%- do texts.append(words | join(' ')) -%} {%- endfor -%}
    {%- do return(texts) -%}
{% endmacro %}


{#- Whether what is filtered is the partition column, by its name or as the expression that makes it, or is cut to the day for it: the bound
    is cast to a date as well then. -#}
{% macro _becomes_column(filtered, text, request) %}
    {%- set column = '"?' ~ modules.re.escape(request.column) ~ '"?' -%}
    {%- set own = modules.re.escape(filtered) -%}
    {%- set forms = [own] + ([
        'cast \\( ' ~ own ~ ' as date \\)', own ~ ' ?:: ?date', 'date \\( ' ~ own ~ ' \\)',
        "(?:cast \\( )?date_trunc \\( 'day' , " ~ own ~ ' \\)(?: ?:: ?date| as date \\))',
    ] if request.column_kind == 'date' else []) -%}
    {%- set made = '(?i)(?:,|select|distinct) (?:' ~ forms | join('|') ~ ') as ' ~ column ~ '(?![\\w"])' -%}
    {%- set renamed = modules.re.findall('(?i) as ' ~ column ~ '(?![\\w"])', text) | length -%}
    {%- if renamed and modules.re.search(made, text) -%} {%- do return(renamed == 1) -%} {%- endif -%}
    {%- set table = modules.re.match('(?i)(?:([\\w"]+)\\.)?' ~ column ~ '$', filtered) -%}
    {%- if not table -%} {%- do return(false) -%} {%- endif -%}
    {%- if renamed -%}
        {#- made further up, of other columns -#}
        {%- set of_itself = '(?i)(?<![\\w"])' ~ column ~ '(?![\\w"])(?:(?! from | select ).)* as ' ~ column ~ '(?![\\w"])' -%}
        {%- do return(renamed == 1 and table.group(1) is none and modules.re.search(of_itself, text) is none) -%}
    {%- endif -%}
    {%- for other in modules.re.findall('(?i)([\\w"]+)\\.' ~ column ~ '(?![\\w"])', text) if other != table.group(1) -%}
        {%- do return(false) -%}
    {%- endfor -%}
    {%- do return(true) -%}
{% endmacro %}


{#- Whether a bound is made of nothing but constants, the clock and the column's maximum in the model's own table: what is left of it
    without these words must be brackets and signs. -#}
{% macro _stands_alone(bound, request) %}
    {%- set table = modules.re.escape(request.relation | string) ~ '(?: (?:as )?(?!where|group|limit|order)\\w+)?(?= \\))' -%}
    {%- set column = '(?:\\w+\\.)?"?' ~ modules.re.escape(request.column) ~ '"?' -%}
    {%- set words = [
        "'[^']*'", '\\d+(?:\\.\\d+)?', 'select', 'max \\( ' ~ column ~ ' \\)', 'from ' ~ table, 'coalesce(?= \\()', 'cast(?= \\()',
        'as(?= (?:date|timestamp|timestamptz) \\))', 'interval', '(?:minute|hour|day|week|month|year)s?', 'date', 'timestamp',
        'timestamptz', ':: ?(?:date|timestamp|timestamptz|interval)', 'current_date', 'current_timestamp', 'now(?= \\( \\))',
    ] -%}
    {%- do return(modules.re.sub('(?i)(?<![\\w"])(?:' ~ words | join('|') ~ ')(?![\\w"])|[-+*,()]', '', bound) | trim == '') -%}
{% endmacro %}
