{{ config(
    materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date',
    sql_header=session_function('halved', 'x / 2')
) }}
select cast(event_ts as date) as order_date, cast(sum({{ in_session('halved') }}(amount)) as decimal(12, 3)) as amount
from {{ ref('stg_events') }}
group by 1
