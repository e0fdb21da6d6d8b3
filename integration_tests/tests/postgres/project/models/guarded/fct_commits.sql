{{ config(incremental_strategy='append', pre_hook='commit; begin') }}
select event_id, cast(event_ts as date) as order_date, amount from {{ ref('stg_events') }}
