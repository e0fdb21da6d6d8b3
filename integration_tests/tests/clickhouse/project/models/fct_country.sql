{{ config(partition_by='country', settings={'allow_nullable_key': 1}) }}
select event_id, amount, toLowCardinality(country) as country from {{ ref('stg_events') }}
