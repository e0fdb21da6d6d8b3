{{ config(
    incremental_strategy='append',
    pre_hook={'sql': '{{ backfill_safety.live_run_begins() }}', 'transaction': false},
    post_hook={'sql': '{{ backfill_safety.live_run_ends() }}', 'transaction': false}
) }}
select event_id, cast(event_ts as date) as order_date, amount from {{ ref('stg_events') }}
