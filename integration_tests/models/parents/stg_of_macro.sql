{{ config(materialized='view') }}
select event_id, event_ts, amount from {{ ref('stg_events') }} where {{ is_large('amount') }}
