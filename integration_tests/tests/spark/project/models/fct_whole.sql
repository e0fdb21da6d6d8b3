{{ config(incremental_strategy='append') }}
select event_id, amount, cast(event_ts as date) as order_date from {{ ref('stg_events') }}
