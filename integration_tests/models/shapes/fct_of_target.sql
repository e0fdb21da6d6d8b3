{{ config(materialized='incremental', incremental_strategy='append', schema=target.schema if target.name == 'nowhere' else none) }}
{%- set few = target.name == 'dev' %}
select event_id, event_ts, amount from {{ ref('stg_events') }}
where true {% if few %} and event_id % 2 = 0 {% endif %}
{% if is_incremental() %}
and event_ts > (select max(event_ts) from {{ this }})
{% endif %}
