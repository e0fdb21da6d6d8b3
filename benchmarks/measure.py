"""Runs a command and tells how long it took and how much memory it and its children held together."""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PAUSE_SECONDS = 0.05


@dataclass(frozen=True)
class Measured:
    """Wall time, processor time of all processes, the highest sum of their proportional set sizes, and the end."""

    seconds: float
    cpu_seconds: float
    mebibytes: float
    status: int
    output: str


def measure(command: Sequence[str], cwd: Path, env: Mapping[str, str] | None = None) -> Measured:
    """Runs `command` once. Memory is sampled; pages that processes share count once. Linux only."""
    began, used = time.monotonic(), _cpu()
    with (
        (cwd / "out.txt").open("w+", encoding="utf-8", errors="replace") as out,
        subprocess.Popen(command, cwd=cwd, env=env, stdout=out, stderr=subprocess.STDOUT) as process,
    ):
        peak = 0
        while process.poll() is None:
            peak = max(peak, _held(process.pid))
            time.sleep(PAUSE_SECONDS)
        seconds = time.monotonic() - began
        out.seek(0)
        return Measured(seconds, _cpu() - used, peak / 1024, process.returncode, out.read())


def _cpu() -> float:
    """Seconds of processor time that ended children have used, and theirs."""
    told = resource.getrusage(resource.RUSAGE_CHILDREN)
    return told.ru_utime + told.ru_stime


def _held(pid: int) -> int:
    """KiB held by a process and all below it."""
    total = 0
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        total = next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
        children = " ".join(p.read_text() for p in Path(f"/proc/{pid}/task").glob("*/children"))
    except (OSError, StopIteration):
        return total
    return total + sum(_held(int(child)) for child in children.split())
