"""Run state or the wall clock inside `config()` is frozen when the project is parsed.

## What it does
Evaluates `config()` and looks at what its values hang on: `is_incremental()`, flags of the command line and
other run state, or the clock.

## Why it is bad
dbt evaluates `config()` while parsing. There `is_incremental()` is always false, so a strategy, key or
predicate that hangs on it keeps its first-build value for ever while the query follows the live branch. A date
from the clock is as old as the last full parse, which partial parsing can put days back.

## Example
```sql
{% set span = "day >= date_sub(current_date(), 3)" if is_incremental() else "true" %}
{{ config(incremental_strategy='replace_where', incremental_predicates=[span]) }}
```

## Use instead
```sql
{{ config(incremental_strategy='replace_where', incremental_predicates=["day >= date_sub(current_date(), 3)"]) }}
```
SQL functions such as `current_date` are evaluated when the statement runs; vars and `target` are known when
parsing and are fine.

## Known limits
Settings that do not change what is written (tags, meta, descriptions, `begin`) are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.checks.words import listed

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts

_HARMLESS = {
    "tags",
    "meta",
    "description",
    "begin",
    "docs",
    "group",
    "labels",
    "query_tag",
    "enabled",
    "contract",
}


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """A block for run state, a warning for the clock."""
    sources = facts.rendering.config_sources
    kept = {key: on for key, on in sources.items() if key not in _HARMLESS}
    run = sorted(key for key, on in kept.items() if "run" in on)
    clock = sorted(key for key, on in kept.items() if "clock" in on and "run" not in on)
    line = facts.rendering.config_line or 0
    if run:
        yield Hit(
            message=f"{listed(run)} in config() hangs on run state that is always false while parsing, so it keeps its first-build "
            "value and does not follow the live branch",
            alternative=f"give {listed(run)} one value for both branches, and let only the query hang on `is_incremental()`",
            line=line,
        )
    if clock:
        yield Hit(
            message=f"{listed(clock)} in config() is dated by the clock of the parser, and stays so until the file is parsed anew",
            alternative="write the date as SQL, such as `current_date`, or take it from a var",
            severity=Severity.WARN,
            line=line,
        )


RULE = Rule("BF108", "frozen-config", Severity.BLOCK, "a", __doc__, judge)
