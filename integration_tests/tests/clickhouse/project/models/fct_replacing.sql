{{ config(engine='ReplacingMergeTree()', order_by='event_id', partition_by='intDiv(event_id, 20)') }}
select event_id, amount from {{ ref('stg_events') }}
