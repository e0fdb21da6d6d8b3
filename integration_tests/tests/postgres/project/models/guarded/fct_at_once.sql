{{ config(incremental_strategy='append') }}
select event_id, event_ts, raw.computed_by() as computed_by from {{ source('raw', 'events') }}
