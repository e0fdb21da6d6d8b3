"""Judges many models in a few processes, each of which may hang, crash or eat memory without harm.

A manifest can come from a stranger. Rendering and reading keep to their own budgets, but what a library does
in one call cannot be stopped from within: a worker that is silent for too long is ended, one that dies is
replaced, and the model it was at is *not judged*.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait

import msgspec

from backfill_safety.audit.answer import Answer

SECONDS = 30.0
MEMORY = 1536 * 1024**2
BATCH = 8
MOST = 4
EACH = 12

Judge = Callable[[str], Answer]


def judge_all(judge: Judge, models: Sequence[str], seconds: float = SECONDS) -> Iterator[tuple[str, Answer]]:
    """Each model's answer, as it becomes known.

    judge: called in the workers; started by fork where that is safe (Linux), so that the manifest is shared;
    elsewhere it is pickled. seconds: how long one model may take.
    """
    if not models:
        return
    todo = deque(models[i : i + BATCH] for i in range(0, len(models), BATCH))
    number = max(1, min(cpus(), MOST, -(-len(models) // EACH)))
    team: dict[Connection, _Worker] = {}
    gc.freeze()  # shared pages stay shared: the collector of a worker leaves them alone
    try:
        for _ in range(number):
            _join(team, _Worker(judge, seconds), todo)
        while team:
            patience = min(worker.deadline for worker in team.values()) - time.monotonic()
            ready = wait(list(team), timeout=max(0.0, patience))
            for pipe in ready:
                yield from _hear(team, team[pipe], todo, judge)  # type: ignore[index]
            late = [w for w in team.values() if w.deadline <= time.monotonic() and not w.pipe.poll()]
            for worker in late:
                reason = f"judging it took more than {seconds:g} seconds"
                yield from _replace(team, worker, todo, judge, reason)
    finally:
        for worker in team.values():
            worker.end()
        gc.unfreeze()


def cpus() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


class _Worker:
    """A process, the models it has been given and not answered, and when it must have spoken."""

    def __init__(self, judge: Judge, seconds: float) -> None:
        context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        self.pipe, theirs = context.Pipe()
        self.seconds = seconds
        self.models: deque[str] = deque()
        self.deadline = float("inf")
        self.process = context.Process(target=_work, args=(theirs, judge), daemon=True)  # type: ignore[attr-defined]
        self.process.start()
        theirs.close()

    def give(self, models: Sequence[str]) -> None:
        self.models.extend(models)
        self.pipe.send_bytes(msgspec.msgpack.encode(models))
        self.spoke()

    def spoke(self) -> None:
        self.deadline = time.monotonic() + self.seconds

    def end(self) -> None:
        self.pipe.close()
        self.process.kill()
        self.process.join()


def _join(team: dict[Connection, _Worker], worker: _Worker, todo: deque[Sequence[str]]) -> None:
    """Gives a worker its next models; one for which there are none is let go."""
    if not todo:
        team.pop(worker.pipe, None)
        worker.end()
        return
    team[worker.pipe] = worker
    worker.give(todo.popleft())


def _hear(
    team: dict[Connection, _Worker], worker: _Worker, todo: deque[Sequence[str]], judge: Judge
) -> Iterator[tuple[str, Answer]]:
    try:
        answer = msgspec.msgpack.decode(worker.pipe.recv_bytes(), type=Answer)
    except (EOFError, OSError, msgspec.DecodeError):
        yield from _replace(team, worker, todo, judge, "judging it ended the process: too deep or too large")
        return
    worker.spoke()
    yield worker.models.popleft(), answer
    if not worker.models:
        _join(team, worker, todo)


def _replace(
    team: dict[Connection, _Worker], worker: _Worker, todo: deque[Sequence[str]], judge: Judge, reason: str
) -> Iterator[tuple[str, Answer]]:
    """Ends a worker; the model it was at is not judged, the others that it had go back."""
    team.pop(worker.pipe)
    worker.end()
    culprit, *others = worker.models
    yield culprit, Answer(not_judged=reason)
    if others:
        todo.appendleft(others)
    if todo:
        _join(team, _Worker(judge, worker.seconds), todo)


def _work(pipe: Connection, judge: Judge) -> None:
    """In the worker: models in, answers out, until the pipe closes."""
    _limit_memory()
    gc.set_threshold(900_000, 5, 100)  # trees are garbage soon, and costly to look at while they live
    with suppress(EOFError, KeyboardInterrupt, BrokenPipeError):
        while True:
            for model in msgspec.msgpack.decode(pipe.recv_bytes(), type=list[str]):
                pipe.send_bytes(msgspec.msgpack.encode(_answer(judge, model)))


def _answer(judge: Judge, model: str) -> Answer:
    """The judge's answer; what it raises makes the model not judged, whatever it is."""
    try:
        return judge(model)
    except MemoryError:
        return Answer(not_judged=f"judging it took more than {MEMORY >> 20} MiB")
    except RecursionError:
        return Answer(not_judged="judging it failed: it is nested too deep")
    except Exception as error:
        return Answer(not_judged=f"judging it failed: {type(error).__name__}: {error}")


def _limit_memory() -> None:
    """Lets the process grow by `MEMORY` and no further, where the system can do that."""
    if sys.platform != "linux":
        return
    import resource
    from pathlib import Path

    with suppress(OSError, ValueError):
        now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = now + MEMORY if hard == resource.RLIM_INFINITY else min(now + MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
