{{ config(
    materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date',
    pre_hook="create table if not exists raw.progress (done_to date)",
    post_hook="insert into raw.progress select max(order_date) from {{ this }}"
) }}
select cast(event_ts as date) as order_date, sum(amount) as amount from {{ ref('stg_events') }} group by 1
