"""Answers for many models: remembered where nothing changed, judged by workers otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from backfill_safety.audit.answer import Answer
from backfill_safety.audit.cache import Memory, Remembered, recall, remember
from backfill_safety.audit.keys import keys
from backfill_safety.audit.workers import Judge, judge_all
from backfill_safety.manifest import Manifest


def audit(
    manifest: Manifest,
    wanted: Iterable[str],
    judge: Judge,
    asked: Mapping[str, Any],
    memory_in: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Answer]:
    """The answer for each wanted model, in the order of unique ids.

    asked: all that the answers hang on beside the manifest. memory_in: the folder of the cache; None to
    judge everything anew. progress: told how many of how many have been judged.
    """
    models = sorted(wanted)
    if memory_in is None:
        found = dict(_judged(judge, models, progress))
        return {model: found[model] for model in models}
    key = keys(manifest, models, asked)
    memory = recall(memory_in)
    known = {m: memory[m].answer for m in models if m in memory and memory[m].key == key[m]}
    new = dict(_judged(judge, [m for m in models if m not in known], progress))
    if new:
        kept: Memory = {m: old for m, old in memory.items() if not m or m in manifest.nodes}
        remember(memory_in, {**kept, **{m: Remembered(key[m], answer) for m, answer in new.items()}})
    return {model: known[model] if model in known else new[model] for model in models}


def _judged(
    judge: Judge, models: list[str], progress: Callable[[int, int], None] | None
) -> Iterable[tuple[str, Answer]]:
    for number, told in enumerate(judge_all(judge, models), 1):
        if progress is not None:
            progress(number, len(models))
        yield told
