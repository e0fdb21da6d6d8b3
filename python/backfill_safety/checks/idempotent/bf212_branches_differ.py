"""The first build and the live run differ in more than the watermark filter.

## What it does
In the operation: compares the two renderings of the model with the watermark filter left out, and blocks until
`branch` is chosen where a limit, another `ref`, a bootstrap slice, a target or flag, or a read of itself makes
the rest differ.

## Why it is bad
A backfill must know which SQL gives the right rows for an old day. If the first build reads an archive and the
live run the stream, or samples for developers, the wrong one writes the wrong history.

## Example
```sql
{% if is_incremental() %} select … from {{ ref('stream') }} {% else %} select … from {{ ref('archive') }} limit 1000 {% endif %}
```

## Use instead
```shell
dbt run-operation safe_backfill --args '{model: fct_laps, start: 2024-01-01, end: 2024-02-01, branch: live}'
```

## Known limits
Applies to the operation. The manifest audit judges the live run and needs no choice.
"""

from __future__ import annotations

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Rule

RULE = Rule("BF212", "branches-differ", Severity.BLOCK, "p", __doc__)
