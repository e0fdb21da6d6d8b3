"""The model reads its own earlier rows, so units must run in order, up to the present.

## What it does
Finds reads of the target in the live branch that are neither its watermark nor an anti-join: rows of itself
joined or unioned into the result, or a filter by which of its rows exist.

## Why it is bad
Yesterday's balance enters today's. A unit that is rebuilt alone leaves all later ones wrong, and units that run
side by side read each other's old rows.

## Example
```sql
select d.day, d.wallet, coalesce(p.balance, 0) + d.delta as balance
from deltas d left join {{ this }} p on p.wallet = d.wallet and p.day = d.day - 1
```

## Use instead
```shell
dbt run-operation safe_backfill --args '{model: balances, start: 2024-01-01, end: <today>, branch: live}'
```
which runs one unit a commit, oldest first; or compute the value from the inputs alone, such as `sum(delta) over
(…)`.

## Known limits
Reads through other models that read the target are not followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.checks.words import listed
from backfill_safety.facts.types import SelfUse

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit a model."""
    for read in facts.self_reads:
        if read.use not in (SelfUse.ROWS, SelfUse.FILTER):
            continue
        what = listed(read.columns) or "its rows"
        how = "enter the result" if read.use is SelfUse.ROWS else "decide what is read"
        yield Hit(
            message=f"earlier rows of `{facts.name}` itself {how} ({what}): a unit that is rebuilt alone leaves the later ones wrong",
            alternative=f"rebuild oldest first and up to now: `dbt run-operation safe_backfill --args "
            f"'{{model: {facts.name}, start: START, end: <today>, branch: live}}'`",
            line=facts.line(read.line),
        )
        return


RULE = Rule("BF209", "reads-itself", Severity.WARN, "ap", __doc__, judge)
