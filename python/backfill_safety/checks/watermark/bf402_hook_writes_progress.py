"""A hook writes how far the model has come into another table.

## What it does
Finds pre- and post-hooks and `on-run-end` hooks that write a maximum, or the time for a job or model, into a
table other than the target.

## Why it is bad
A backfill of last spring runs the hooks too, and the table of cursors then says last spring, or now. Whoever
reads it starts in the wrong place: it reads everything again, or skips what it has not read.

## Example
```sql
{{ config(post_hook="update ops.cursors set last_value = (select max(clicked_at) from {{ this }}) where job = 'clicks'") }}
```

## Use instead
Let the live run take its cursor from the table itself, `max(clicked_at)`, or let the scheduler write it after
its own runs. `safe_backfill` runs no hooks unless it is told to (`hooks: none` is its default).

## Known limits
A row added to a log of runs, a count, a grant or a comment is no progress. Who reads the table need not be
known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.checks.words import short
from backfill_safety.facts.types import HookWrite, Verb

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts

_STATE = (
    "cursor",
    "watermark",
    "water_mark",
    "high_water",
    "checkpoint",
    "progress",
    "bookmark",
    "offset",
    "control",
    "state",
)
_LOG = ("log", "audit", "history", "event")


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """One hit for the first hook that writes progress."""
    yield from hits(facts.hook_writes, facts.rendering.config_line or 0)


def hits(writes: Iterable[HookWrite], line: int = 0) -> Iterator[Hit]:
    """One hit for the first of some hooks' statements that writes progress."""
    for write in writes:
        if _progress(write):
            what = "a maximum" if write.extreme else "the time"
            yield Hit(
                message=f"the {write.where} writes {what} into `{short(write.table)}`: a backfill moves that cursor too (`{write.text}`)",
                alternative="read the cursor from the table itself, or run backfills without hooks: `safe_backfill` does so by default",
                line=line,
            )
            return


def _progress(write: HookWrite) -> bool:
    if write.verb is Verb.CALL:
        return write.extreme and any(word in short(write.table) for word in _STATE)
    if write.target or write.verb not in (Verb.INSERT, Verb.UPDATE, Verb.MERGE, Verb.REPLACE, Verb.CREATE):
        return False
    name = short(write.table)
    logs = any(word in name for word in _LOG) and not any(word in name for word in _STATE)
    if write.extreme:
        return not (logs and write.verb is Verb.INSERT)
    if not write.clock:
        return False
    keeps = any(word in name for word in _STATE)
    return keeps or (write.verb in (Verb.UPDATE, Verb.MERGE) and write.progress and not logs)


RULE = Rule("BF402", "hook-writes-progress", Severity.BLOCK, "ap", __doc__, judge)
