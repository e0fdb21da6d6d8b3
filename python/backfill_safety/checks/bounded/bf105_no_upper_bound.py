"""The live run has a lower bound only.

## What it does
Finds streams of the live branch that are bounded below but not above. Where the lower bound can be set by a var
this is a block, also where giving a var opens such a branch; where `max()` of the target itself is the only bound it
is one warning.

## Why it is bad
A start that can be set invites to reprocess old days by setting it. Without an end each such run goes from its
start to now: a backfill in daily steps reads, deletes and writes everything after each day again, the live
partition included. A watermark alone cannot be asked for an old window at all, and rows that arrive behind it
stay out for ever.

## Example
```sql
{% if is_incremental() %}
where booked_at >= '{{ var("start_date", "2024-01-01") }}'
{% endif %}
```

## Use instead
```sql
where booked_at >= '{{ var("start_date") }}' and booked_at < '{{ var("end_date") }}'
```
or `where {{ backfill_safety.window('booked_at') }}`, which is right in a first build, a live run and a
backfill.

## Known limits
Silent where giving a var opens a branch that is bounded on both sides, and where only the clock bounds the
start (BF109). A var that is only the length of a look-back does not make the start settable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from backfill_safety.checks.finding import Severity
from backfill_safety.checks.rule import Hit, Rule
from backfill_safety.checks.words import listed, operation, var_window
from backfill_safety.facts.names import says_valid_from
from backfill_safety.facts.types import Arm, Bound, Kind, from_below

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def judge(facts: ModelFacts) -> Iterator[Hit]:
    """A block for a settable start without an end; one warning for a watermark alone."""
    if facts.target.microbatch or facts.window_by_var:
        return
    asked = facts.probe if facts.only_itself and facts.probe is not None else facts.live
    bound = _settable(asked.arms)
    if bound is not None:
        yield Hit(
            message=f"`{bound.column} >= {bound.value}` can be set by {listed(bound.names)} and nothing ends it: each run goes "
            "from its start to now and rewrites every later partition",
            alternative=f"end the window as well: {var_window(bound.column)}",
            line=asked.rendering.line_of(bound.line) or 0 if bound.line else 0,
        )
    elif facts.only_itself:
        yield _watermark(facts)


def _settable(arms: Iterable[Arm]) -> Bound | None:
    """A lower bound that a var sets, in a stream that nothing ends."""
    for arm in arms:
        below = from_below(arm)
        found = [b for b in below if Kind.VAR in b.kinds]
        if (
            found
            and arm.source
            and not arm.itself
            and not arm.unknown
            and not any(_ends(b, below) for b in arm.upper)
        ):
            return found[0]
    return None


def _ends(upper: Bound, below: tuple[Bound, ...]) -> bool:
    """Whether an upper bound ends the window: one on the validity of a joined look-up table chooses its rows, and ends nothing."""
    own = {p.table for b in below for p in b.paths}
    lent = bool(upper.paths) and all(p.table and p.table not in own for p in upper.paths)
    return not (lent and all(says_valid_from(p.column) for p in upper.paths))


def _watermark(facts: ModelFacts) -> Hit:
    bound = from_below(facts.arms[0])[0]
    asked = (
        f"; the window {facts.request.text} cannot be asked for" if facts.planned and facts.request else ""
    )
    columns = ", ".join(dict.fromkeys(c for b in from_below(facts.arms[0]) for c in b.itself)) or bound.column
    return Hit(
        message=f"the newest `{columns}` in the table itself is the only bound: an old window cannot be asked for, and rows that arrive "
        f"behind it stay out{asked}",
        alternative=f"rebuild old windows with {operation(facts)}, or import the window: "
        f"`{{{{ backfill_safety.window('{bound.column}') }}}}`",
        severity=Severity.BLOCK if facts.planned else Severity.WARN,
        line=facts.line(bound.line),
    )


RULE = Rule("BF105", "no-upper-bound", Severity.BLOCK, "arp", __doc__, judge)
