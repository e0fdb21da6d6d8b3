{#- What the tests put in the place of an engine that cannot be run here: the package's own macros for it, dbt's few that they use, and in
    the place of the connection a list of what was sent and canned answers. Nothing of this runs on the engine. -#}
{% macro act_as(double) %}
    {%- set forms = {} -%}
    {%- for prefix in double.chain -%}
        {%- for key, form in context['backfill_safety'].items() if key.startswith(prefix ~ '___') -%}
            {%- do forms.update({key[prefix | length + 2:]: form}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do forms.update({'_fetch': _said}) -%}
    {%- do double.update({'said': []}) -%}
    {%- do context.update({
        'double': double,
        'real_relation': api.Relation.create,
        'backfill_safety_engine': forms,
        'adapter': {'quote': _quoted_as, 'get_relation': _a_relation, 'get_columns_in_relation': _its_columns, 'create_schema': _nothing,
            'get_column_schema_from_query': _its_columns, 'execute': _executed},
        'api': {'Relation': {'create': _relation_as}},
        'target': dict(type=double.engine, name='dev', user='me', s3_data_dir='s3://bucket/dbt'),
        'dbt': {'type_string': _string_type, 'type_bigint': _bigint_type, 'type_timestamp': _timestamp_type, 'dateadd': _added,
            'date_trunc': _truncated, 'length': _length_of},
    }) -%}
{% endmacro %}


{#- Records a statement; answers as the engine would where all goes well. -#}
{% macro _said(sql) %}
    {%- set double = context['double'] -%}
    {%- do double.said.append(sql) -%}
    {%- if sql.startswith('select holder') -%} {%- do return([[double.holder, '2024-01-01 00:15:00']]) -%} {%- endif -%}
    {%- if sql.startswith('show create table') -%} {%- do return([[double.created]]) -%} {%- endif -%}
    {%- if 'connector_name' in sql -%} {%- do return([[double.get('connector', 'iceberg')]]) -%} {%- endif -%}
    {%- if sql.startswith('explain') or '.INFORMATION_SCHEMA.' in sql -%} {%- do return(double.get('explained', [])) -%} {%- endif -%}
    {%- if sql.startswith("select 'before' as fact") -%}
        {%- set rows = [] -%}
        {%- for position in (double.groups.pop(0) if double.groups else []) -%}
            {%- do rows.extend([['before', position, 3, 'k1', '11', 0], ['after', position, 3, 'k2', '22', 0]]) -%}
        {%- endfor -%}
        {%- do return(rows) -%}
    {%- endif -%}
    {%- if sql.startswith('select backfill_unit') -%} {%- do return([[0, '11'], [1, '11'], [2, '11']]) -%} {%- endif -%}
    {%- if sql.startswith("select 'keys_before'") or sql.startswith("select 'new'") -%} {%- do return([]) -%} {%- endif -%}
    {%- if sql.startswith('select count(*) as backfill_count from (') or ' as r where exists' in sql -%}
        {%- do return([[0]]) -%}
    {%- endif -%}
    {%- if sql.startswith('select count(*) from') or sql.startswith('select count(*) as backfill_count from') -%}
        {%- do return([[double.done]]) -%}
    {%- endif -%}
    {%- if sql.startswith('select count(*), count(case') -%} {%- do return([[9, 6, 0]]) -%} {%- endif -%}
    {%- if sql.startswith('select count(*), ') or sql.startswith('select count(*) as backfill_count, ') -%}
        {%- set checksum = double.checksums.pop(0) if double.checksums else ('11' if 'backup_' in sql else '22') -%}
        {%- do return([[3, checksum] + ([0] if ' as backfill_newer from ' in sql else [])]) -%}
    {%- endif -%}
    {%- if sql.startswith('select max(ledger_version)') -%} {%- do return([[none]]) -%} {%- endif -%}
    {%- if sql.startswith('select cast(max(') -%} {%- do return([['2024-06-30 00:00:00', 3]]) -%} {%- endif -%}
    {%- do return([]) -%}
{% endmacro %}


{% macro _quoted_as(name) %} {%- do return(context['double'].quote[0] ~ name ~ context['double'].quote[1]) -%} {% endmacro %}
{% macro _a_relation(database, schema, identifier) %}
    {%- if identifier == 'backfill_safety_runs' and not context['double'].get('has_ledger') -%} {%- do return(none) -%} {%- endif -%}
    {%- do return(_relation_as(database=database, schema=schema, identifier=identifier)) -%}
{% endmacro %}
{% macro _its_columns(relation) %}
    {%- set names = [] -%}
    {%- for name in ['runs', 'units', 'leases'] if 'backfill_safety_' ~ name in relation | string -%}
        {%- for column in backfill_safety._ledger_columns(name) -%} {%- do names.append({'name': column}) -%} {%- endfor -%}
    {%- endfor -%}
    {%- do return(names or context['double'].columns) -%}
{% endmacro %}
{% macro _nothing() %} {% endmacro %}
{% macro _executed(sql, auto_begin, fetch) %} {%- do return([context['double'].response, {'rows': []}]) -%} {% endmacro %}
{% macro _relation_as(database=none, schema=none, identifier=none, type=none) %}
    {%- do return(context['real_relation'](database=database, schema=schema, identifier=identifier, type=type,
        quote_character=context['double'].quote[0])) -%}
{% endmacro %}
{% macro _string_type() %} {%- do return(context['double'].types[0]) -%} {% endmacro %}
{% macro _bigint_type() %} {%- do return(context['double'].types[1]) -%} {% endmacro %}
{% macro _timestamp_type() %} {%- do return(context['double'].types[2]) -%} {% endmacro %}
{% macro _length_of(text) %} {%- do return('length(' ~ text ~ ')') -%} {% endmacro %}
{% macro _added(part, number, point) %}
    {%- set seconds = {'second': 1, 'minute': 60, 'hour': 3600, 'day': 86400}[part] -%}
    {#- how many seconds the test itself took is none of the text -#}
    {%- set n = 0 if part == 'second' else number -%}
    {%- do return(context['double'].dateadd.format(part=part, n=n, x=point, seconds=seconds)) -%}
{% endmacro %}
{% macro _truncated(part, point) %} {%- do return(context['double'].date_trunc.format(part=part, x=point)) -%} {% endmacro %}


{#- What a macro of the package gives there, many calls: [{macro, arguments}] → [[what it returned, what it sent]]. -#}
{% macro calls_as(double, calls) %}
    {%- if not execute -%} {%- do return('') -%} {%- endif -%}
    {%- do act_as(double) -%}
    {%- set answers = [] -%}
    {%- for call in calls -%}
        {%- do double.update({'said': [], 'explained': call.get('explained', [])}) -%}
        {%- set relation = _relation_as(database='shop', schema='marts', identifier='fct') -%}
        {%- set arguments = [] -%}
        {%- for argument in call.arguments -%}
            {%- do arguments.append(relation if argument == '<relation>' else (dict(argument, relation=relation)
                if argument is mapping and 'node' in argument else argument)) -%}
        {%- endfor -%}
        {%- set answer = context['backfill_safety'][call.macro](*arguments) -%}
        {%- do answers.append([answer, double.said]) -%}
    {%- endfor -%}
    {%- do print(tojson(answers)) -%}
{% endmacro %}


{#- What becomes of a run when some statements have read what the adapter says of each. -#}
{% macro read_under_limits(double, limits, statements) %}
    {%- if not execute -%} {%- do return('') -%} {%- endif -%}
    {%- do act_as(double) -%}
    {%- for _ in range(statements) -%} {%- do context['backfill_safety'][double.engine ~ '___fetch']('select 1') -%} {%- endfor -%}
    {%- set tally = {'done': 1, 'total': 2, 'stopped': none} -%}
    {%- do backfill_safety._stop_at_limits({'request': {'limits': limits}}, tally) -%}
    {%- do print(tojson(tally)) -%}
{% endmacro %}


{#- Everything that a plan asks and a run sends there, in order. -#}
{% macro run_as(double, plan, does) %}
    {%- if not execute -%} {%- do return('') -%} {%- endif -%}
    {%- do act_as(double) -%}
    {%- set relation = _relation_as(database='shop', schema='marts', identifier='fct') -%}
    {%- set request = plan.request -%}
    {%- do request.update({
        'relation': relation,
        'column_sql': backfill_safety._quote(request.column),
        'frame': backfill_safety._literal_frame(request.column_kind),
        'columns': double.columns,
    }) -%}
    {%- set narrowed = [] -%}
    {%- for name, value in request.where.items() -%}
        {%- do narrowed.append(' and ' ~ backfill_safety._quote(name) ~ ' in (' ~ backfill_safety._literal(value, 'text') ~ ')') -%}
    {%- endfor -%}
    {%- do request.update({'where_sql': narrowed | join}) -%}
    {%- do plan.update({'pinned': {'invocation_id': 'i1', 'run_started_at': '2024-07-01'}}) -%}
    {%- if 'checks' in does -%} {%- do backfill_safety._engine('_check_target')(request) -%} {%- endif -%}
    {%- set told = {} -%}
    {%- if 'plan' in does -%}
        {%- do plan.update({'first': {'sql': plan.rendered.sql}, 'existing': backfill_safety._existing_rows(plan)}) -%}
        {%- do backfill_safety._cursor(request, {'bare': 'select max(loaded_at) from ' ~ relation, 'queries': [], 'watermarks': []}) -%}
        {%- do plan.update({'estimate': backfill_safety._engine('_estimate')(plan)}) -%}
        {%- do told.update({'reads': backfill_safety._cost_words(plan), 'findings': backfill_safety._check_cost(plan),
            'isolated': backfill_safety._check_isolated(plan)}) -%}
        {%- do backfill_safety._sample(plan) -%}
        {%- do backfill_safety._lease_is_alive(relation) -%}
        {%- do double.update({'has_ledger': true}) -%}
        {%- do backfill_safety._unfinished_run(request, plan.bounds) -%}
        {%- do double.update({'has_ledger': false}) -%}
    {%- endif -%}
    {%- if 'run' in does -%} {%- do backfill_safety._run_backfill(plan) -%} {%- endif -%}
    {%- if 'undo' in does -%}
        {#- as the run left it, then as it was; or the backup, then the unit -#}
        {%- do double.update({'checksums': ['22', '11'] if backfill_safety._has_transactions() else ['11', '11'],
            'holder': invocation_id}) -%}
        {%- set opened = {'relation': relation, 'ledger': relation, 'request': request,
            'run': {'run_id': plan.run_id, 'columns_written': tojson(plan.columns)}} -%}
        {%- set unit = {'unit_no': 0, 'name': 'one', 'lower_bound': plan.bounds[0], 'upper_bound': plan.bounds[1], 'state': 'done',
            'rows_before': 3, 'rows_inserted': 3, 'checksum_before': '11', 'checksum_after': '22'} -%}
        {%- do backfill_safety._run(['begin'] + backfill_safety._take_lease_sql(relation, invocation_id) + ['commit']) -%}
        {%- do backfill_safety._undo_unit(opened, unit, backfill_safety._run_table(relation, 'backup', plan.run_id),
            {'given': plan.columns, 'newer': []}) -%}
        {%- do backfill_safety._end_rollback(opened, [unit]) -%}
    {%- endif -%}
    {%- do print(tojson(dict(told, said=double.said, invocation=invocation_id))) -%}
{% endmacro %}
