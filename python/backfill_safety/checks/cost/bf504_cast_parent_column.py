"""dbt casts the parent's event time, so nothing is pruned.

## What it does
Finds microbatch models on BigQuery of which a parent's `event_time` column is a DATE or DATETIME.

## Why it is bad
dbt writes `cast(load_day as timestamp) >= …` into the batch's filter, and BigQuery then reads every partition
of the parent for each batch.

## Example
```yaml
- name: loads
  config: {event_time: load_day}
  columns: [{name: load_day, data_type: date}]
```

## Use instead
Give the parent a TIMESTAMP column and partition it by that, or bound the parent by hand:
```sql
select * from {{ ref('loads').render() }}
where load_day >= date('{{ model.batch.event_time_start }}') and load_day < date('{{ model.batch.event_time_end }}')
```

## Known limits
The column's type is known only where the parent's YAML or its `partition_by` declares it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit for each such parent."""
    if not facts.target.microbatch or not facts.target.traits.casts_event_time:
        return
    for parent in facts.parents:
        kind = parent.types.get(parent.event_time, "") if parent.filtered else ""
        if kind in ("date", "datetime"):
            yield Hit(
                message=f"dbt casts `{parent.event_time}` of {parent.name}, a {kind.upper()}, to TIMESTAMP in each batch's filter: "
                "BigQuery "
                "reads all its partitions each time",
                alternative=f"give {parent.name} a TIMESTAMP event_time, or bound it by hand on `{parent.event_time}`",
                line=parent.line,
            )


RULE = Rule("BF504", "cast-parent-column", Severity.WARN, "a", __doc__, judge)
