{{ config(incremental_strategy='delete+insert', unique_key='event_id', on_schema_change='append_new_columns') }}
select event_id, cast(event_ts as date) as order_date, amount, country from {{ ref('stg_events') }}
