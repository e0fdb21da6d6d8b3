"""A worker may hang, crash, lie or eat memory: it costs one model and nothing else."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

import pytest

from backfill_safety.audit import workers
from backfill_safety.audit.answer import Answer
from backfill_safety.audit.workers import judge_all

MODELS = [f"model.x.m{i:02}" for i in range(40)]
BAD = "model.x.m13"


def good(model: str) -> Answer:
    return Answer(not_judged=f"seen {model}")


def all_good_but(reason: str) -> dict[str, Answer]:
    """Every model answered well, and `BAD` not judged for this reason."""
    return {m: good(m) for m in MODELS} | {BAD: Answer(not_judged=reason)}


def hangs(model: str) -> Answer:
    if model == BAD:
        time.sleep(600)
    return good(model)


def dies(model: str) -> Answer:
    if model == BAD:
        os._exit(9)
    return good(model)


def overflows(model: str) -> Answer:
    if model == BAD:
        hold = [bytearray(64 * 1024**2) for _ in range(10_000)]
        return Answer(not_judged=f"{len(hold)} blocks")
    return good(model)


def babbles(model: str) -> Answer:
    return "nonsense" if model == BAD else good(model)


def test_every_model_gets_its_own_answer() -> None:
    told = list(judge_all(good, MODELS))
    assert sorted(told) == [(m, good(m)) for m in MODELS]
    assert list(judge_all(good, [])) == []


def fails(model: str) -> Answer:
    if model == BAD:
        raise ValueError("odd")
    return good(model)


def sinks(model: str) -> Answer:
    return sinks(model) if model == BAD else good(model)


@pytest.mark.parametrize(
    ("judge", "said"),
    [
        (hangs, "judging it took more than 1 seconds"),
        (dies, "judging it ended the process: too deep or too large"),
        (babbles, "judging it ended the process: too deep or too large"),
        (fails, "judging it failed: ValueError: odd"),
        (sinks, "judging it failed: it is nested too deep"),
    ],
)
def test_one_bad_model_costs_one_model(judge: Callable[[str], Answer], said: str) -> None:
    assert dict(judge_all(judge, MODELS, seconds=1)) == {m: good(m) for m in MODELS} | {
        BAD: Answer(not_judged=said)
    }


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
def test_memory_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "MEMORY", 256 * 1024**2)
    told = dict(judge_all(overflows, MODELS))
    assert told == {m: good(m) for m in MODELS} | {
        BAD: Answer(not_judged="judging it took more than 256 MiB")
    }


def test_all_bad_models_end_too() -> None:
    def all_die(model: str) -> Answer:
        os._exit(len(model))

    told = dict(judge_all(all_die, MODELS))
    assert set(told) == set(MODELS)


def test_workers_are_gone_when_the_reader_stops_early() -> None:
    made: list[int] = []
    before = workers._Worker.__init__

    def note(self: workers._Worker, *given: object) -> None:
        before(self, *given)
        made.append(self.process.pid or 0)

    workers._Worker.__init__ = note
    try:
        answers = judge_all(hangs, MODELS)
        next(answers)
        answers.close()
    finally:
        workers._Worker.__init__ = before
    assert made
    for pid in made:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
