{#- Where two renderings without comments, of a first build and of a live run, differ: hunks of {first, live, filter}. A filter only narrows
    the live run. -#}
{% macro _branch_differences(first, live) %}
    {%- set a = backfill_safety._plain_lines(first) -%}
    {%- set b = backfill_safety._plain_lines(live) -%}
    {%- set hunks = [] -%}
    {%- for hunk in backfill_safety._line_hunks(a, b) -%}
        {%- set cut = backfill_safety._trim_common(hunk.first.split(), hunk.live.split()) -%}
        {%- do cut.update({'filter': backfill_safety._only_filters(cut.first, cut.live)}) -%}
        {%- do hunks.append(cut) -%}
    {%- endfor -%}
    {%- do return(hunks) -%}
{% endmacro %}


{#- Lines with single blanks; brackets and commas stand alone so that they compare as words. -#}
{% macro _plain_lines(sql) %}
    {%- set lines = [] -%}
    {%- for line in sql.splitlines() -%}
        {%- set words = modules.re.sub('([(),])', ' \\1 ', line).split() -%}
        {%- if words -%} {%- do lines.append(words | join(' ')) -%} {%- endif -%}
    {%- endfor -%}
    {%- do return(lines) -%}
{% endmacro %}


{#- Runs of lines that differ. Lines are matched greedily to the nearest equal one: exact where blocks were left out,
    which is what `if is_incremental()` does, and never too small elsewhere. -#}
{% macro _line_hunks(a, b) %}
    {%- set hunks = [] -%}
    {%- set at = namespace(i=0, j=0) -%}
    {%- for _ in a + b -%}
        {%- set same = backfill_safety._common_length(a[at.i:], b[at.j:]) -%}
        {%- set i, j = at.i + same, at.j + same -%}
        {%- if i == a | length and j == b | length -%} {%- do return(hunks) -%} {%- endif -%}
        {%- set at.i, at.j = backfill_safety._next_meeting(a, b, i, j) -%}
        {%- do hunks.append({'first': a[i:at.i] | join(' '), 'live': b[j:at.j] | join(' ')}) -%}
    {%- endfor -%}
    {%- do return(hunks) -%}
{% endmacro %}


{#- The nearest pair of equal lines after a difference, by lines passed over on both sides. -#}
{% macro _next_meeting(a, b, i, j) %}
    {%- set best = namespace(cost=none, i=a | length, j=b | length) -%}
    {%- set places = {} -%}
    {%- for line in b[j:] -%} {%- do places.setdefault(line, j + loop.index0) -%} {%- endfor -%}
    {%- for line in a[i:] -%}
        {%- set place = places.get(line) if line | length > 1 else none -%}
        {%- if place is not none and (best.cost is none or loop.index0 + place - j < best.cost) -%}
            {%- set best.cost = loop.index0 + place - j -%}
            {%- set best.i = i + loop.index0 -%}
            {%- set best.j = place -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return([best.i, best.j]) -%}
{% endmacro %}


{#- What is left of two lists of words without their common head and tail. -#}
{% macro _trim_common(a, b) %}
    {%- set head = backfill_safety._common_length(a, b) -%}
    {%- set tail = backfill_safety._common_length(a[head:] | reverse | list, b[head:] | reverse | list) -%}
    {%- do return({'first': a[head:a | length - tail] | join(' '), 'live': b[head:b | length - tail] | join(' ')}) -%}
{% endmacro %}


{% macro _common_length(a, b) %}
    {%- for x, y in zip(a, b) -%}
        {%- if x != y -%} {%- do return(loop.index0) -%} {%- endif -%}
    {%- endfor -%}
    {%- do return([a | length, b | length] | min) -%}
{% endmacro %}


{#- Whether a difference is a watermark filter: the live side adds conditions, the first side at most one that is always true. -#}
{% macro _only_filters(first, live) %}
    {%- if first | lower not in ['', 'true', 'where true', 'where 1=1', 'where 1 = 1', '1=1', '1 = 1', 'and true', 'and 1=1'] -%}
        {%- do return(false) -%}
    {%- endif -%}
    {%- set text = live | lower -%}
    {%- set outside = backfill_safety._outside_brackets(text) -%}
    {%- if outside is none -%} {%- do return(false) -%} {%- endif -%}
    {%- if first and first | lower not in ['true', '1=1', '1 = 1'] and not text -%} {%- do return(true) -%} {%- endif -%}
    {%- set opens = modules.re.match('(where|and|having|qualify)\\b', outside) or modules.re.search('\\band$', outside)
        or (first and modules.re.match('[("\\w]', outside)) -%}
    {%- set more = modules.re.search('\\b(limit|sample|tablesample|union|join|group by|order by|select|or)\\b|,', outside) -%}
    {%- do return(true if (not text or opens) and more is none else false) -%}
{% endmacro %}


{#- The words outside of brackets; none where the brackets do not match. -#}
{% macro _outside_brackets(text) %}
    {%- set at = namespace(depth=0, broken=false) -%}
    {%- set out = [] -%}
    {%- for word in text.split() -%}
        {%- if word == '(' -%} {%- set at.depth = at.depth + 1 -%}
        {%- elif word == ')' -%}
            {%- set at.depth = at.depth - 1 -%}
            {%- if at.depth < 0 -%} {%- set at.broken = true -%} {%- endif -%}
        {%- elif at.depth == 0 -%} {%- do out.append(word) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(none if at.broken or at.depth != 0 else out | join(' ')) -%}
{% endmacro %}
