{{ config(materialized='incremental', unique_key=['flight_date', 'carrier']) }}

select
    flight_date,
    carrier,
    count(*) as flights,
    count(*) filter (where dep_time is null) as cancelled,
    round(sum(air_time) / 60.0, 1) as hours_in_air
from {{ source('raw', 'flights') }}

{% if is_incremental() %}
where flight_date > (select max(flight_date) from {{ this }})
{% endif %}

group by flight_date, carrier
