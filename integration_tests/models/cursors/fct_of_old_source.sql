{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
select cast(event_ts as date) as order_date, sum(amount) as amount from {{ source('raw', 'kept_events') }} group by 1
