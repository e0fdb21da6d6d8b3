{{ config(partition_by=['order_date', 'country']) }}
select event_id, amount, cast(event_ts as date) as order_date, country from {{ ref('stg_events') }}
