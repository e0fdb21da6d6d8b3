select event_id, cast(event_ts as date) as order_date, amount from {{ ref('stg_events') }} where event_ts is not null
