{#- Drops the tables that finished runs left; documented in macros.yml. -#}
{% macro cleanup_backfills(keep_days=14, run_id=none, dry_run=false) %}
    {%- if not execute -%} {%- do return('') -%} {%- endif -%}
    {%- if keep_days is not number or keep_days < 0 -%}
        {%- do backfill_safety._refuse('keep_days must be a number of days from 0, not ' ~ keep_days) -%}
    {%- endif -%}
    {%- set chosen = [] -%}
    {%- if run_id is not none -%}
        {%- set opened = backfill_safety._find_run(run_id) -%}
        {%- if opened.run.state == 'running' or opened.run.state == 'incomplete' -%}
            {%- do backfill_safety._refuse('run ' ~ run_id ~ ' is ' ~ opened.run.state
                ~ '; finish it, or end it with cancel_backfill, before its tables are dropped') -%}
        {%- endif -%}
        {%- do chosen.append(opened) -%}
    {%- else -%}
        {%- set old = "state not in ('running', 'incomplete') and finished_at < "
            ~ dbt.dateadd('day', -1 * keep_days, backfill_safety._now().sql) -%}
        {%- for ledger in backfill_safety._ledgers() -%}
            {%- for run in backfill_safety._load_runs(ledger, old) -%}
                {%- do chosen.append(backfill_safety._opened_run(run, ledger)) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endif -%}
    {%- set dropped = namespace(count=0) -%}
    {%- for opened in chosen -%}
        {%- for kind in ['backup', 'rows'] -%}
            {%- set table = backfill_safety._run_table(opened.ledger, kind, opened.run.run_id) -%}
            {%- if adapter.get_relation(table.database, table.schema, table.identifier) is not none -%}
                {%- do print(('would drop ' if dry_run else 'drops     ') ~ table ~ (' (' ~ opened.run.run_id
                    ~ ' can then not be undone)' if kind == 'backup' else '')) -%}
                {%- if not dry_run -%}
                    {%- do backfill_safety._end_transaction() -%}
                    {%- set tried = backfill_safety._try(
                        backfill_safety._engine('_wait_for_locks')() + ['drop table if exists ' ~ table]) -%}
                    {%- if tried.trouble -%}
                        {%- do backfill_safety._refuse(table ~ ' could not be dropped: ' ~ tried.trouble
                            ~ (backfill_safety._lock_holders(table) if tried.locked else '') ~ '; ask again later') -%}
                    {%- endif -%}
                {%- endif -%}
                {%- set dropped.count = dropped.count + 1 -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- if dropped.count == 0 -%}
        {%- do print('nothing to drop: no finished run older than ' ~ keep_days ~ ' days has tables left') -%}
    {%- endif -%}
{% endmacro %}
