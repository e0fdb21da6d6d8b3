{{ config(incremental_strategy='delete+insert', unique_key='event_id') }}
select event_id, cast(event_ts as date) as order_date, amount from {{ ref('stg_events') }}
