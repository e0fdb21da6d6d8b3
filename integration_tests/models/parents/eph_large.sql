{{ config(materialized='ephemeral') }}
with large as (
    select * from {{ ref('eph_events') }} where amount > {{ var('least', 10) }}
)
select * from large
