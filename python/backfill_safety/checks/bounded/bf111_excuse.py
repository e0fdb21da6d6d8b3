"""An excuse in a model's meta does not count, has expired, or excuses nothing.

## What it does
Looks at every entry of `meta.backfill_safety.allow` and reports the ones without a rule or a reason, with a
rule that does not exist or a date that is none, those whose `until` has passed, and those whose rule finds
nothing in this model any more.

## Why it is bad
An excuse silences a rule for whoever comes next. One without a reason cannot be weighed again, one that has
expired was meant to be, and one that excuses nothing today will hide the harm of tomorrow.

## Example
```yaml
models:
  - name: fct_orders
    config:
      meta:
        backfill_safety:
          allow:
            - {rule: BF201}
```

## Use instead
```yaml
          allow:
            - {rule: BF201, reason: "an append-only log; readers take the latest row", until: 2027-06-30}
```
`until` is the last day on which the excuse counts, and may be left out. Remove what excuses nothing.

## Known limits
An unused excuse is only reported where the model could be judged, where the audit asks the rule at all, and not
when a window or vars are judged, since a rule may be silent in one and speak in the other.
"""

from __future__ import annotations

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Rule

RULE = Rule("BF111", "excuse", Severity.WARN, "a", __doc__)
