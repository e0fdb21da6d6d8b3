{#- Check 6: is the result verified, and is there a way back? -#}
{% macro _check_reversible(plan) %}
    {%- set request = plan.request -%}
    {%- set node = request.node -%}
    {%- set findings = [] -%}
    {%- if backfill_safety._stores_today(plan) -%} {%- do findings.append(backfill_safety._today_finding(request)) -%} {%- endif -%}
    {%- if request.grain is string and request.grain != 'value' -%}
        {%- for id in backfill_safety._readable_parents(node) | map(attribute='unique_id') | select('in', graph.sources) -%}
            {%- set source = graph.sources[id] -%}
            {%- set days = (source.config.get('meta') or source.get('meta') or source.get('source_meta') or {}).get('retention_days') -%}
            {%- if days is number -%}
                {%- do findings.extend(backfill_safety._retention_findings(request.start, source, days)) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if not request.expect.get('allow_empty') -%}
        {%- for unit in plan.sample if unit.old > 0 and unit.new == 0 -%}
            {%- if loop.first -%} {%- do findings.append(backfill_safety._emptied_finding(unit)) -%} {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if plan.ignored or plan.added or plan.narrowed or plan.only_target -%}
        {%- do findings.extend(backfill_safety._column_findings(plan)) -%}
    {%- endif -%}
    {%- if not request.backup -%}
        {%- do findings.append(backfill_safety._finding('BF606', 'warn', 'no backup is kept, so the run cannot be undone',
            'leave backup out')) -%}
    {%- endif -%}
    {%- if plan.attached -%} {%- do findings.extend(backfill_safety._attached_findings(plan)) -%} {%- endif -%}
    {%- set below = backfill_safety._downstream(node) if plan.units > 1 else [] -%}
    {%- if below -%} {%- do findings.append(backfill_safety._below_finding(below)) -%} {%- endif -%}
    {%- do return(findings) -%}
{% endmacro %}


{% macro _below_finding(below) %}
    {%- do return(backfill_safety._finding(
        'BF607', 'info', backfill_safety._name_list(below) ~ ' will not heal by ' ~ ('itself' if below | length == 1 else 'themselves'),
        'reprocess the same window there afterwards: safe_backfill, or dbt run for tables'
    )) -%}
{% endmacro %}


{#- Incremental models and tables that read this one, directly or through views. -#}
{% macro _downstream(node) %}
    {%- set children = {} -%}
    {%- for child in graph.nodes.values() if child.resource_type in ['model', 'snapshot'] -%}
        {%- for id in child.depends_on.nodes -%} {%- do children.setdefault(id, []).append(child) -%} {%- endfor -%}
    {%- endfor -%}
    {%- set names = [] -%}
    {%- set seen = [node.unique_id] -%}
    {#- the list grows while it is read: what passes through a view is followed on -#}
    {%- for id in seen -%}
        {%- for child in children.get(id, []) -%}
            {%- if child.config.materialized in ['view', 'ephemeral'] -%}
                {%- if child.unique_id not in seen -%} {%- do seen.append(child.unique_id) -%} {%- endif -%}
            {%- elif child.name not in names -%}
                {%- do names.append(child.name) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(names | sort) -%}
{% endmacro %}


{% macro _stores_today(plan) %}
    {%- set today = '(?:current_date|current_timestamp|now|getdate|sysdate|today|current_datetime)' -%}
    {%- set pattern = '(?is)\\b' ~ today ~ '\\b\\s*(?:\\(\\s*\\d*\\s*\\))?[^,]{0,60}?\\bas\\s+"?'
        ~ modules.re.escape(plan.request.column) ~ '"?\\b' -%}
    {%- do return(modules.re.search(pattern, plan.first.bare) is not none) -%}
{% endmacro %}


{% macro _today_finding(request) %}
    {%- do return(backfill_safety._finding(
        'BF602', 'block', request.column ~ ' is the current date: ' ~ request.node.name
            ~ ' stores the state of today, and no past day can be computed',
        'none: keep the stored days, or rebuild them from a source that keeps history', false
    )) -%}
{% endmacro %}


{#- A source that says for how many days it keeps its rows. -#}
{% macro _retention_findings(start, source, days) %}
    {%- set oldest = run_started_at - modules.datetime.timedelta(days=days) -%}
    {%- if start >= oldest.replace(tzinfo=none) -%} {%- do return([]) -%} {%- endif -%}
    {%- do return([backfill_safety._finding(
        'BF603', 'block', source.source_name ~ '.' ~ source.name ~ ' keeps ' ~ days ~ ' days and the window begins before that',
        'begin the window after ' ~ oldest.strftime('%Y-%m-%d'), false
    )]) -%}
{% endmacro %}


{% macro _emptied_finding(unit) %}
    {%- do return(backfill_safety._finding(
        'BF603', 'block', unit.name ~ ' has ' ~ backfill_safety._rows_word(unit.old) ~ ' and would become empty: its source rows are gone',
        'leave it out (skip_units), or write expect: {allow_empty: true} if it is meant to be empty', false
    )) -%}
{% endmacro %}


{#- Columns that the model and the target do not share. -#}
{% macro _column_findings(plan) %}
    {%- set findings = [] -%}
    {%- set node = plan.request.node -%}
    {%- if plan.ignored -%}
        {%- do findings.append(backfill_safety._finding(
            'BF604', 'warn', plan.ignored | map(attribute='name') | join(', ')
                ~ ' of the model is no column of the target (on_schema_change: '
            ~ (node.config.get('on_schema_change') or 'ignore') ~ ') and is not written', 'set on_schema_change: append_new_columns'
        )) -%}
    {%- elif plan.added -%}
        {%- do findings.append(backfill_safety._finding(
            'BF604', 'warn', 'the new column ' ~ plan.added | map(attribute='name') | join(', ')
                ~ ' is added to the target; rows outside of the window keep NULL there',
            'widen the window to the rows that need it'
        )) -%}
    {%- endif -%}
    {%- for column in plan.narrowed -%}
        {%- do findings.append(backfill_safety._finding(
            'BF604', 'block', column.name ~ ' is ' ~ column.gives ~ ' in the model and ' ~ column.holds
                ~ ' in the table, so what is written there would be cut or refused',
            'give ' ~ column.name ~ ' of the table the type ' ~ column.gives
                ~ ' first (alter table), or write accept: {BF604: reason} where the type of the table is meant'
        )) -%}
    {%- endfor -%}
    {%- if plan.only_target -%}
        {%- do findings.append(backfill_safety._finding(
            'BF604', 'warn', plan.only_target | join(', ')
                ~ ' is a column of the target that the model no longer gives: it becomes NULL (or its default) in the window',
            'give the column in the model, or drop it from the target'
        )) -%}
    {%- endif -%}
    {%- do return(findings) -%}
{% endmacro %}
