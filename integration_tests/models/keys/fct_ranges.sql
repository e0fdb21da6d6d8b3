{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='event_id') }}
select event_id, amount, country
from {{ ref('stg_events') }}
{% if is_incremental() %}
where event_id > (select max(event_id) from {{ this }})
{% endif %}
