{{ config(partition_by='tuple()') }}
select event_id, amount, toDate(event_ts) as order_date from {{ ref('stg_events') }}
