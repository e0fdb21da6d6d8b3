"""The model cannot be analysed, so nothing is known about its safety.

## What it does
Reports what could not be judged and why: a Python model, a macro that is missing, a template that does not
render, SQL that does not parse, a bound that hangs on something nobody knows offline. Names, as an info, a strategy
that is the project's own and macros of dbt's strategies that the project replaces: what they write is not read.
A plan of the operation says so of an engine whose SQL nobody has seen run, and blocks one that it has no SQL for.

## Why it is bad
What has not been read must not count as safe. The model may be fine; it may as well read everything and append
it twice.

## Example
```python
def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="ride_id")
    ...
```

## Use instead
Give the missing var (`--vars '{start_date: 2024-01-01}'`), name the adapter the project is for (`--adapter
snowflake`), or review the model by hand and excuse it with a reason:
```yaml
meta: {backfill_safety: {allow: [{rule: BF110, reason: "read by hand: bounded by read_at on both sides", until: 2027-01-01}]}}
```

## Known limits
The model is also listed under *not judged* and never counted as safe. In a plan for a window the verdict is
BLOCK.
"""

from __future__ import annotations

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule

ADVICE = (
    "give what is missing (`--vars`, `--adapter`), or review the model by hand and excuse it with a reason"
)


def not_analysed(reason: str, planned: bool, line: int = 0) -> Hit:
    """The hit for a model that could not be read, or not wholly."""
    return Hit(
        message=f"cannot be analysed: {reason}",
        alternative=ADVICE,
        severity=Severity.BLOCK if planned else Severity.WARN,
        curable_by_run=False,
        line=line,
    )


RULE = Rule("BF110", "not-analysed", Severity.WARN, "arp", __doc__)
