{{ config(partition_by='part') }}
select event_id, amount, cast(event_id div 20 as int) as part from {{ ref('stg_events') }}
