select event_id, event_ts, amount, country from {{ source('raw', 'events') }}
