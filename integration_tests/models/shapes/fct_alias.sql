{{ config(
    materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date',
    alias='order_facts', schema='finance'
) }}
select cast(event_ts as date) as order_date, sum(amount) as amount from {{ ref('stg_events') }} group by 1
