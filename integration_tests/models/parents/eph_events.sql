{{ config(materialized='ephemeral') }}
select event_id, event_ts, amount, country from {{ ref('stg_events') }}
