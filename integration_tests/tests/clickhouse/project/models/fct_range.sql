{{ config(partition_by='intDiv(event_id, 20)') }}
select event_id, amount, country from {{ ref('stg_events') }}
