{{ config(file_format='iceberg', incremental_strategy='append') }}
select event_id, event_ts, amount, country from {{ ref('stg_events') }}
