{{ config(partition_by='country') }}
select event_id, amount, country from {{ ref('stg_events') }}
