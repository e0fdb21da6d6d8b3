"""What a model's facts reveal of how it can be reprocessed: column, grain, inputs, watermark."""

from __future__ import annotations

from typing import Any

import msgspec

from backfill_safety.facts.grain import Grain
from backfill_safety.facts.model import ModelFacts
from backfill_safety.facts.names import says_load, says_time
from backfill_safety.facts.types import Output, SelfUse

FINEST = Grain.HOUR


class Proposal(msgspec.Struct, frozen=True):
    """The settings of one model, and what could not be told, in words.

    values: `column`, `grain`, `inputs` and `watermark`, as `meta.backfill_safety` has them; the ones that
    cannot be told are left out.
    """

    values: dict[str, Any]
    unknown: tuple[str, ...] = ()


def propose(facts: ModelFacts) -> Proposal:
    """Reads the settings off the facts; nothing is guessed that they do not show."""
    values: dict[str, Any] = {}
    unknown = []
    column = partition_column(facts)
    if column:
        values["column"] = column
        if grain := _grain(facts, column):
            values["grain"] = grain.word
        if inputs := _inputs(facts, column):
            values["inputs"] = inputs
        else:
            unknown.append("inputs: no parent's column can be traced to it")
    else:
        unknown.append("column: neither a partition, an event_time nor a bound names the time of an event")
    if watermark := _watermark(facts):
        values["watermark"] = watermark
    return Proposal(values, tuple(unknown))


def partition_column(facts: ModelFacts) -> str:
    """The column by whose values units are told apart, "" where the facts do not show it.

    The single partition column, else `event_time`, else the one column of the key that is a time, else the
    one time of an event that the live run is bounded by.
    """
    partitioning = facts.target.partitioning
    if partitioning is not None and len(partitioning.names) == 1:
        return partitioning.names[0]
    if facts.target.event_time:
        return facts.target.event_time
    keys = [name for name in facts.target.key if _is_event_time(facts.live.output(name))]
    if len(keys) == 1:
        return keys[0]
    bounded = {(p.table, p.column) for arm in facts.arms for b in arm.lower for p in b.paths}
    names = [
        name
        for name in facts.live.names
        if _is_event_time(output := facts.live.output(name))
        and any((p.table, p.column) in bounded for p in output.paths)
    ]
    return names[0] if len(names) == 1 else ""


def _is_event_time(output: Output) -> bool:
    """Whether a column says when something happened: not when it was loaded, and not when the run was."""
    time = output.typed.startswith(("date", "timestamp")) or says_time(output.name)
    return time and not output.stamp and not says_load(output.name)


def _grain(facts: ModelFacts, column: str) -> Grain | None:
    """The target's own grain, else what the column is cut to, else a day for a date; None for the default."""
    partitioning = facts.target.partitioning
    own = next((c.grain for c in partitioning.columns if c.name == column), None) if partitioning else None
    output = facts.live.output(column)
    cut = {p.grain for p in output.paths}
    grain = own or facts.target.batch_size or (cut.pop() if len(cut) == 1 else None)
    if grain is None and output.typed == "date":
        return Grain.DAY
    return max(grain, FINEST) if grain is not None else None


def _inputs(facts: ModelFacts, column: str) -> dict[str, str]:
    """The parents' columns that the column is a function of, where every stream has exactly one."""
    by_key = {parent.key: parent for parent in facts.parents if not parent.ephemeral}
    found: dict[str, str] = {}
    for path in facts.live.output(column).paths:
        parent = by_key.get(path.table)
        if parent is None or path.aggregated or found.get(parent.name, path.column) != path.column:
            return {}
        found[parent.name] = path.column
    streams = {arm.source for arm in facts.arms}
    told = {by_key[key].name for key in streams if key in by_key}
    return dict(sorted(found.items())) if found and told <= set(found) else {}


def _watermark(facts: ModelFacts) -> str:
    """The one column of the target that the live run reads to know where to resume."""
    columns = {c for read in facts.self_reads if read.use is SelfUse.WATERMARK for c in read.columns}
    return columns.pop() if len(columns) == 1 else ""
