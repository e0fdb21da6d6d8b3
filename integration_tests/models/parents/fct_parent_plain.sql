{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='event_id') }}
select event_id, event_ts, amount from {{ ref('stg_events') }}
where amount > 20
