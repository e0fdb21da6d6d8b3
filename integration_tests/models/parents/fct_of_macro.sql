{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
select cast(event_ts as date) as order_date, sum(amount) as amount from {{ ref('stg_of_macro') }} group by 1
