{{ config(materialized='incremental', incremental_strategy='append') }}
{% if is_incremental() %}
    {% set newest = run_query('select max(event_ts) from ' ~ this).columns[0].values()[0] %}
{% endif %}
select event_id, event_ts, amount from {{ ref('stg_events') }}
{% if is_incremental() %}
where event_ts > '{{ newest }}'
{% endif %}
