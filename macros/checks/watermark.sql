{#- Check 4: is the live cursor exactly where it was? -#}
{% macro _check_watermark(plan) %}
    {%- set request = plan.request -%}
    {%- set findings = [] -%}
    {%- set columns = plan.cursor | map(attribute='column') | join(', ') -%}
    {%- set past = [] -%}
    {%- for unit in plan.sample if unit.get('new_past', 0) > 0 -%} {%- do past.append(unit) -%} {%- endfor -%}
    {%- set stamped = backfill_safety._stamped_columns(plan) -%}
    {%- if stamped -%}
        {%- do findings.append(backfill_safety._stamped_finding(request.node, stamped)) -%}
    {%- elif past -%}
        {%- do findings.append(backfill_safety._past_cursor_finding(plan, past)) -%}
    {%- endif -%}
    {%- if plan.rows_before_window and not stamped -%}
        {%- do findings.append(backfill_safety._finding(
            'BF404', 'block', 'the cursor ' ~ columns ~ ' is empty, and ' ~ backfill_safety._rows_word(plan.rows_before_window)
                ~ ' of the model lie before the window: what is written becomes the cursor, and the live run would go on past them',
            'begin the window at the first of them, or write accept: {BF404: reason}'
        )) -%}
    {%- endif -%}
    {%- if plan.cursor_condition -%}
        {%- do findings.append(backfill_safety._finding(
            'BF110', 'warn', 'the live run of ' ~ request.node.name ~ ' looks for its cursor among some of its rows alone ('
                ~ backfill_safety._shorten(plan.cursor_condition) ~ ') and this run watches ' ~ columns
                ~ ' of the whole table: a unit may carry the cursor of those rows past unread ones',
            'let the live run catch up first, or end the window before the oldest of these cursors'
        )) -%}
    {%- endif -%}
    {%- for hook in plan.hooks if hook.writes_state -%}
        {%- do findings.append(backfill_safety._hook_finding(request.node, hook)) -%}
    {%- endfor -%}
    {%- do return(findings) -%}
{% endmacro %}


{% macro _stamped_finding(node, stamped) %}
    {%- do return(backfill_safety._finding(
        'BF401', 'block', 'the watermark ' ~ stamped | join(', ')
            ~ ' is stamped with the current time, so every replaced row would pass the live cursor',
        'let the live run read its watermark from a column of the source; until then set ' ~ stamped[0]
            ~ ' from the source in ' ~ node.name, false
    )) -%}
{% endmacro %}


{% macro _hook_finding(node, hook) %}
    {%- do return(backfill_safety._finding(
        'BF402', 'block', 'the ' ~ hook.kind ~ '-hook of ' ~ node.name ~ ' writes a progress value: '
            ~ backfill_safety._shorten(hook.sql), 'write hooks: none'
    )) -%}
{% endmacro %}


{% macro _past_cursor_finding(plan, past) %}
    {%- set every = plan.units == past | length -%}
    {%- do return(backfill_safety._finding(
        'BF404', 'block' if every else 'warn',
        past | map(attribute='name') | join(', ') ~ ' would hold rows newer than the cursor ('
            ~ plan.cursor | map(attribute='column') | join(', ') ~ ' = ' ~ plan.cursor | map(attribute='value') | join(', ') ~ ')',
        'let the live run catch up, then run this again; until then such units are left as they are'
    )) -%}
{% endmacro %}


{#- Watermark columns that the model's SQL fills with the clock. -#}
{% macro _stamped_columns(plan) %}
    {%- set clock = '(?:(?:current|transaction|statement|clock|get_current)_timestamp|current_date|current_datetime|localtimestamp'
        ~ '|now|getdate|getutcdate|sysdatetime|sysdate|systimestamp|today)' -%}
    {%- set started = modules.re.escape((plan.pinned.run_started_at | string)[:19]) -%}
    {%- set stamped = [] -%}
    {%- for mark in plan.cursor -%}
        {%- set pattern = '(?is)(?:\\b' ~ clock ~ '\\b\\s*(?:\\(\\s*\\d*\\s*\\))?|' ~ started ~ ')[^,]{0,80}?\\bas\\s+"?'
            ~ modules.re.escape(mark.column) ~ '"?\\b' -%}
        {%- if modules.re.search(pattern, plan.first.bare) -%} {%- do stamped.append(mark.column) -%} {%- endif -%}
    {%- endfor -%}
    {%- do return(stamped) -%}
{% endmacro %}
