{{ config(file_format='iceberg', incremental_strategy='append', partition_by='days(event_ts)') }}
select event_id, event_ts, amount, country from {{ ref('stg_events') }}
