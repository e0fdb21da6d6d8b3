select e.event_id, e.event_ts, e.amount, e.country
from {{ source('raw', 'events') }} as e
cross join (select raw.gate(1) as opened) as g
