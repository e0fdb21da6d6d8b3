-- what a left join gives without a partner hangs on a setting
{{ config(partition_by='intDiv(event_id, 20)', query_settings={'join_use_nulls': 1}, on_schema_change='append_new_columns') }}
select e.event_id as event_id, e.amount as amount, e.country as country, o.amount as odd_amount
from {{ ref('stg_events') }} as e
left join (select event_id, amount from {{ ref('stg_events') }} where event_id % 2 = 1) as o on o.event_id = e.event_id
