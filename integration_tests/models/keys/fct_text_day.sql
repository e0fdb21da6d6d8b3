{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='day_key') }}
select
    {{ as_text('event_ts', '%Y-%m-%d') }} as day_key, {{ as_text('event_ts', '%Y%m') }} as month_key,
    count(*) as orders, sum(amount) as amount
from {{ ref('stg_events') }}
{% if is_incremental() %}
where {{ as_text('event_ts', '%Y-%m-%d') }} >= (select max(day_key) from {{ this }})
{% endif %}
group by 1, 2
