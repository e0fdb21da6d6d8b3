"""The window is older than the source keeps.

## What it does
Compares the start of a judged window with `meta.retention_days` of the sources that the model reads, also
through views and ephemeral parents.

## Why it is bad
The source has thrown those rows away. The run finds few or none, and replaces a full day by what is left of it.

## Example
```yaml
sources:
  - name: app
    tables: [{name: events, meta: {retention_days: 90}}]
```
```shell
backfill-safety check target/manifest.json --select fct_events --start 2020-01-01 --end 2020-01-08
```

## Use instead
A window inside the retention, or a copy of the old rows as a second source.

## Known limits
Only a declared retention is known. Says nothing where no window is judged. In the operation an empty unit is
told from the data itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit for the source that keeps least."""
    if facts.request is None or not facts.planned:
        return
    kept = sorted((days, name) for name, days in facts.retentions)
    if kept and facts.request.older_than(kept[0][0], facts.today):
        days, name = kept[0]
        oldest = facts.today - timedelta(days=days)
        yield Hit(
            message=f"{name} keeps {days:g} days: the window {facts.request.text} begins before what it still has, and full days would be "
            "replaced by what is left of them",
            alternative=f"begin at {oldest.isoformat()} or later, or bring the old rows back first",
            curable_by_run=False,
        )


RULE = Rule("BF603", "expired-source", Severity.BLOCK, "ap", __doc__, judge)
