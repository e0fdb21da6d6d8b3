{#- The model's hooks as the run treats them: [{kind, sql, runs, writes_state}]. Rendered only where they will run. -#}
{% macro _plan_hooks(plan) %}
    {%- set node = plan.request.node -%}
    {%- set hooks = [] -%}
    {%- for kind in ['pre', 'post'] -%}
        {%- set runs = plan.request.hooks in [kind, 'all'] -%}
        {%- for hook in node.config.get(kind ~ '-hook') or [] -%}
            {%- set text = hook.sql if hook is mapping else hook -%}
            {%- if 'live_run_begins' not in text and 'live_run_ends' not in text -%}
                {%- set sql = backfill_safety._render_plan_text(plan, text) if runs else text -%}
                {%- do hooks.append({'kind': kind, 'sql': sql, 'runs': runs, 'writes_state': runs
                    and backfill_safety._writes_state(sql)}) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(hooks) -%}
{% endmacro %}


{% macro _has_hooks(node) %}
    {%- do return(node.config.get('pre-hook') or node.config.get('post-hook')) -%}
{% endmacro %}


{% macro _render_plan_text(plan, text) %}
    {%- set request = plan.request -%}
    {%- do return(backfill_safety._render_model(dict(request.node, raw_code=text), {
        'request': request, 'branch': 'first', 'inputs': {}, 'vars': {}, 'pinned': plan.pinned, 'plain_this': true,
        'unit': backfill_safety._unit_ends(plan, 0, 0),
    }).sql) -%}
{% endmacro %}


{#- A statement that writes rows somewhere, or makes a table that tells how far something is: what a live job keeps its progress in.
    Comments and texts are no statements, so they are emptied; dates at the beginning of a text are kept. -#}
{% macro _writes_state(sql) %}
    {%- set bare = modules.re.sub("(?s)'(\\d{4}-\\d\\d)?(?:[^']|'')*'|--[^\\n]*|/\\*.*?\\*/", "'\\1'", sql) -%}
    {%- set name = '(?:"[^"]*"|`[^`]*`|\\[[^\\]]*\\]|[^\\s;"`\\[])+' -%}
    {%- set writes = '(?i)\\b(?:insert\\s+(?:into|overwrite)|merge\\s+into|delete\\s+from|replace\\s+into|alter\\s+table\\s+' ~ name
        ~ '\\s+update|update\\s+(?:only\\s+)?' ~ name ~ '\\s+(?:\\*\\s+)?(?:(?:as\\s+)?' ~ name ~ '\\s+)?set)\\b' -%}
    {#- some engines do without into and from -#}
    {%- set begins = "(?i)(?:^|;|\\bbegin\\b|\\bthen\\b)(?:\\s|'')*(?:insert|merge|delete)\\s+[\\w\"`\\[]" -%}
    {%- if modules.re.search(writes, bare) or modules.re.search(begins, bare) -%} {%- do return(true) -%} {%- endif -%}
    {#- a temporary table ends with the session, and a view or a dynamic table follows its query: none of them keeps a value -#}
    {%- set makes = '(?i)\\bcreate\\s+(?:or\\s+replace\\s+)?(?:(?!(?:temp|temporary|dynamic|table|view)\\b)\\w+\\s+)*table\\s+'
        ~ '(?!function\\b)[^;]*?\\bas\\s*\\(?\\s*(?:select|with|values|from)\\b[^;]*|\\bselect\\b[^;]*?\\binto\\s+[\\w"]+\\.[^;]*' -%}
    {%- for made in modules.re.finditer(makes, bare) if backfill_safety._tells_how_far(made.group(0)) -%}
        {%- do return(true) -%}
    {%- endfor -%}
    {%- do return(false) -%}
{% endmacro %}


{#- Whether a query gives a greatest or smallest value, the clock, or a date that is written out. -#}
{% macro _tells_how_far(query) %}
    {%- set calls = '(?i)\\b(?:max|min|max_by|min_by|arg_max|arg_min|argmax|argmin|last_value|now|today|getdate|getutcdate|sysdatetime'
        ~ '|unix_timestamp)\\s*\\(|\\b(?:\\w*current_(?:date|datetime|time|timestamp)|localtime|localtimestamp|sysdate|systimestamp'
        ~ '|(?:clock|statement|transaction)_timestamp)\\b' -%}
    {%- set dates = "(?is)\\bselect\\b(?:(?!\\bfrom\\b).)*'\\d{4}-\\d\\d'|\\bvalues\\b[^;]*'\\d{4}-\\d\\d'" -%}
    {%- do return(modules.re.search(calls, query) is not none or modules.re.search(dates, query) is not none) -%}
{% endmacro %}
