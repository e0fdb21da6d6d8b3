{{ config(partition_by='month', on_schema_change='append_new_columns') }}
select event_id, amount, event_ts, date_format(event_ts, 'yyyy-MM') as month from {{ ref('stg_events') }}
