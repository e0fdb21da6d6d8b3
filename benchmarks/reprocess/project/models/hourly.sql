{{ config(materialized='incremental', unique_key='hour', incremental_strategy='delete+insert') }}

select date_trunc('hour', read_at) as hour, count(*) as readings, sum(value) as total
from {{ source('raw', 'readings') }}
{% if is_incremental() %} where read_at > (select max(hour) from {{ this }}) {% endif %}
group by 1
